"""Text beyond what is shown at once: its end is kept, and what is lost is counted."""

from cave_lab.kernel.flood import Flood
from cave_lab.kernel.message import LeftOut
from cave_lab.limits import Limits


def flood() -> Flood:
    """One that keeps ten characters."""
    return Flood(Limits(stream_bytes=20))


def test_the_end_follows_a_line_that_says_how_much_is_missing() -> None:
    one = flood()
    one.rise("stdout", "0123456789abc", None)
    assert one.drops
    assert one.end() == [("stdout", "\n… 3 bytes left out …\n3456789abc")]


def test_what_was_never_read_is_missing_too() -> None:
    one = flood()
    one.rise("stdout", "before", LeftOut(1_000, "the end"))
    assert one.end() == [("stdout", "\n… 1.0 kB left out …\nthe end")]


def test_what_comes_behind_an_end_has_an_end_of_its_own() -> None:
    one = flood()
    one.rise("stdout", "0123456789abc", None)
    one.end()
    one.rise("stderr", "short", None)
    assert one.end() == [("stderr", "short")]
    assert one.end() == []


def test_once_closed_it_keeps_nothing_and_says_that_it_drops() -> None:
    one = flood()
    one.close()
    one.rise("stdout", "late", None)
    assert one.drops
    assert one.end() == []
