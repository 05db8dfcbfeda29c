import random

from cave_lab.kernel.stream_text import Append, Replace, StreamText, Tail
from cave_lab.privacy.terminal import final_lines


def told(text: StreamText, before: str = "") -> str:
    """What the other side has after one more telling, as a terminal would show it."""
    match text.tell():
        case None:
            return before
        case Append(more):
            return before + more
        case Replace(whole):
            return whole


def shown(raw: str) -> str:
    """A terminal in four lines: what is on the screen after all was written."""
    lines = []
    for line in raw.replace("\r\n", "\n").split("\n"):
        cells: list[str] = []
        for segment in line.split("\r"):
            cells[: len(segment)] = segment
        lines.append("".join(cells))
    return "\n".join(lines)


def test_plain_text_is_told_as_it_is():
    text = StreamText()
    assert text.feed("a\nb") == 3
    assert text.tell() == Append("a\nb")
    text.feed("c\n")
    assert text.tell() == Append("c\n")
    assert text.tell() is None


def test_overwritten_lines_between_two_tellings_are_never_told():
    text = StreamText()
    for step in range(1_000):
        text.feed(f"\r{step:4d}%")
    assert text.tell() == Append(" 999%")


def test_an_overwritten_line_that_was_told_is_told_with_a_carriage_return():
    text = StreamText()
    text.feed("10%")
    text.tell()
    text.feed("\r20%")
    assert text.tell() == Append("\r20%")


def test_a_carriage_return_at_the_end_waits_for_what_follows():
    text = StreamText()
    text.feed("10%\r")
    assert text.tell() == Append("10%")
    text.feed("20%\r")
    assert text.tell() == Append("\r20%")
    text.feed("\n")
    assert text.tell() == Append("\n")


def test_a_shorter_text_leaves_the_end_of_the_longer_one_as_a_terminal_does():
    text = StreamText()
    text.feed("abcdef\rXY\n")
    assert text.tell() == Append("XYcdef\n")


def test_windows_line_ends_are_line_ends():
    text = StreamText()
    text.feed("one\r\ntwo\r\n")
    assert text.tell() == Append("one\ntwo\n")


def test_growth_counts_what_is_left_of_the_text():
    text = StreamText()
    assert text.feed("\r" + "#" * 50) == 50
    assert text.feed("\r" + "#" * 60) == 10
    assert text.feed("\n") == 1


def test_a_long_life_of_one_line_is_told_anew_instead_of_growing():
    text, screen, longest = StreamText(), "", 0
    for step in range(5_000):
        text.feed(f"\r{step:5d} " + "#" * 40)
        screen = told(text, screen)
        longest = max(longest, len(screen))
    assert shown(screen) == " 4999 " + "#" * 40
    assert longest < 9_000


def test_any_text_in_any_pieces_looks_as_on_a_terminal():
    dice = random.Random(7)
    for _ in range(300):
        raw = "".join(dice.choice(["a", "bc", "déf", "\n", "\r", "\r\n"]) for _ in range(40))
        text, screen, at = StreamText(), "", 0
        while at < len(raw):
            size = dice.randint(1, 9)
            text.feed(raw[at : at + size])
            at += size
            if dice.random() < 0.5:
                screen = told(text, screen)
        assert shown(told(text, screen)) == shown(raw), repr(raw)


def test_after_forgetting_text_is_only_appended():
    text = StreamText()
    text.feed("old line\nopen")
    text.tell()
    text.forget()
    text.feed("more\n")
    assert text.tell() == Append("more\n")
    for step in range(3_000):
        text.feed(f"\r{step}")
        assert not isinstance(text.tell(), Replace)


def test_a_tail_keeps_the_last_characters_and_counts_the_rest():
    tail = Tail(10)
    tail.push("stdout", "0123456789")
    tail.push("stderr", "abc")
    assert tail.dropped == 3
    assert tail.take() == [("stdout", "3456789"), ("stderr", "abc")]


def test_a_tail_behind_unread_text_holds_nothing_from_before_it():
    tail = Tail(10)
    tail.push("stdout", "before")
    tail.push("stdout", "after", skipped=1_000)
    assert tail.take() == [("stdout", "after")]
    assert tail.dropped == 1_006


BARS = (
    "\router 0%\n\rinner 0%\x1b[A\n\rinner 50%\x1b[A\n\rinner 100%\x1b[A"
    "\router 50%\n\r  \x1b[A\router 100%\n\rinner done\nabc\rxy\x1b[A\r.\n\n1%\r2%\r3%\n"
)


def test_bars_one_below_the_other_end_as_on_a_terminal_however_they_come():
    chance = random.Random(7)
    for _ in range(300):
        text, seen, at = StreamText(), "", 0
        while at < len(BARS):
            end = at + chance.randrange(1, 12)
            text.feed(BARS[at:end])
            at = end
            if chance.random() < 0.3:
                seen = told(text, seen)
        seen = told(text, seen)
        assert final_lines(seen) == final_lines(BARS)
    assert final_lines(BARS).split("\n") == ["outer 100%", ".nner done", "xyc", "3%", ""]
