"""Work is counted, the person's time is not."""

from cave_lab.thread.clock import WorkClock


class Hands:
    """The hands of a clock, moved by the test."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_time_goes_on_while_nothing_pauses_it() -> None:
    hands = Hands()
    clock = WorkClock(hands)
    hands.at += 5
    assert clock.seconds == 5


def test_what_happens_in_a_pause_is_not_counted_even_while_it_lasts() -> None:
    hands = Hands()
    clock = WorkClock(hands)
    hands.at += 5
    with clock.paused():
        hands.at += 1_000
        assert clock.seconds == 5
    hands.at += 2
    assert clock.seconds == 7


def test_pausing_twice_and_going_on_twice_count_nothing_twice() -> None:
    hands = Hands()
    clock = WorkClock(hands)
    hands.at += 1
    clock.pause()
    hands.at += 10
    clock.pause()
    hands.at += 10
    clock.go_on()
    clock.go_on()
    hands.at += 1
    assert clock.seconds == 2
