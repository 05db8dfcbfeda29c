"""The collector alone, fed as a kernel would feed it."""

import random
from typing import Any

import pytest

from cave_lab.kernel.collector import Collector
from cave_lab.kernel.displays import Displays
from cave_lab.kernel.message import Header, LeftOut, Message
from cave_lab.kernel.port import (
    OutputAdded,
    OutputAppended,
    OutputCleared,
    OutputTruncated,
    OutputUpdated,
)
from cave_lab.kernel.stream_text import StreamText
from cave_lab.limits import Limits
from cave_lab.protocol.content import DisplayOutput, ErrorOutput, ResultOutput, StreamOutput
from tests.kernel.recorder import fold

RUN = "run-1"


class Bench:
    """A collector, and what the other side has of it."""

    def __init__(self, displays: Displays | None = None, **limits: Any) -> None:
        self.beats = 0
        self.displays = Displays() if displays is None else displays
        self.collector = Collector(RUN, Limits(**limits), self.displays, self._beat)
        self.outputs: list[Any] = []

    def _beat(self) -> None:
        self.beats += 1

    def send(self, kind: str, left_out: LeftOut | None = None, **content: Any) -> None:
        header = Header(kind, "m", RUN, "execute_request")
        self.collector.take(Message(header, content, left_out))

    def print(self, text: str, name: str = "stdout") -> None:
        self.send("stream", name=name, text=text)

    def show(self, text: str, display_id: str | None = None) -> None:
        transient = {"display_id": display_id} if display_id else {}
        self.send("display_data", data={"text/plain": text}, metadata={}, transient=transient)

    def drain(self, *, late: bool = False) -> list[Any]:
        changes = self.collector.drain(late=late)
        assert not self.collector.dirty
        for change in changes:
            fold(self.outputs, change)
        return changes

    @property
    def text(self) -> str:
        return "".join(one.text for one in self.outputs if isinstance(one, StreamOutput))


def shown(text: str) -> DisplayOutput:
    return DisplayOutput(data={"text/plain": text})


def test_prints_between_two_tellings_are_one_change():
    bench = Bench()
    for number in range(100):
        bench.print(f"{number}\n")
    assert len(bench.drain()) == 1
    bench.print("more\n")
    assert bench.drain() == [OutputAppended(0, "more\n")]
    assert bench.drain() == []


def test_a_progress_bar_that_leaves_does_not_shift_the_outputs_behind_it():
    bench = Bench()
    bench.print("\r  0%", "stderr")
    bench.drain()
    bench.print("done\n")
    bench.print("\r", "stderr")
    bench.drain()
    assert len(bench.outputs) == 2
    bench.show("a figure")
    bench.print("after\n")
    bench.drain()
    bench.print("more\n")
    bench.drain()
    assert [one.output_type for one in bench.outputs] == [
        "stream",
        "stream",
        "stream",
        "display_data",
        "stream",
    ]
    assert [bench.outputs[at].text for at in (1, 2, 4)] == ["done\n", "", "after\nmore\n"]


@pytest.mark.parametrize("seed", range(50))
def test_what_is_told_piece_by_piece_is_what_would_be_told_at_once(seed: int):
    chance = random.Random(seed)
    often, once = Bench(), Bench()
    texts = ["\r", "\r\n", "a", "bc\n", "\r50%", "\r   \r", "\n", "x\r", "\b", ""]
    for _ in range(60):
        name, text = chance.choice(["stdout", "stderr"]), chance.choice(texts)
        step = chance.choice(["print"] * 6 + ["show", "clear", "clear later"])
        for bench in (often, once):
            match step:
                case "print":
                    bench.print(text, name)
                case "show":
                    bench.show("figure")
                case _:
                    bench.send("clear_output", wait=step == "clear later")
        if chance.random() < 0.4:
            often.drain()
    often.drain(), once.drain()
    assert [final(one) for one in often.outputs] == [final(one) for one in once.outputs]


def final(output: Any) -> tuple[str, str]:
    """What an output looks like in the end: a carriage return writes over its line."""
    if not isinstance(output, StreamOutput):
        return output.output_type, ""
    text = StreamText()
    text.feed(output.text)
    told = text.tell()
    return output.name, "" if told is None else told.text.lstrip("\r")


def test_streams_and_displays_keep_their_order():
    bench = Bench()
    bench.print("a")
    bench.print("b", "stderr")
    bench.show("c")
    bench.print("d")
    bench.drain()
    assert bench.outputs == [
        StreamOutput(name="stdout", text="a"),
        StreamOutput(name="stderr", text="b"),
        shown("c"),
        StreamOutput(name="stdout", text="d"),
    ]


def test_clear_output_drops_what_was_told_once():
    bench = Bench()
    bench.print("a")
    bench.send("clear_output", wait=False)
    assert bench.drain() == []
    bench.print("b")
    bench.drain()
    bench.send("clear_output", wait=False)
    bench.send("clear_output", wait=False)
    assert bench.drain() == [OutputCleared()]
    assert bench.outputs == []


def test_clear_output_with_wait_waits_for_the_next_output():
    bench = Bench()
    bench.print("a")
    bench.drain()
    bench.send("clear_output", wait=True)
    assert bench.drain() == []
    bench.show("b")
    assert bench.drain() == [OutputCleared(), OutputAdded(0, shown("b"))]


def test_no_error_is_lost_to_what_the_next_output_clears():
    bench = Bench(run_output_bytes=300)
    bench.show("x" * 290)
    bench.send("clear_output", wait=True)
    for name in ("First", "Second"):
        bench.send("error", ename=name, evalue="as told", traceback=[name])
    bench.drain()
    assert [one.ename for one in bench.outputs] == ["First", "Second"]


def test_a_flood_of_updates_is_one_change_with_the_last_one():
    bench = Bench()
    bench.show("0", "bar")
    for number in range(100_000):
        bench.displays.update("bar", DisplayOutput(data={"text/plain": str(number)}))
    bench.drain()
    assert bench.outputs[0].data == {"text/plain": "99999"}


def test_an_update_reaches_every_output_of_that_name_in_every_run():
    displays = Displays()
    one, two = Bench(displays), Bench(displays)
    one.show("a", "bar")
    two.show("a", "bar")
    one.drain()
    two.drain()
    displays.update("bar", shown("b"))
    assert one.drain() == two.drain() == [OutputUpdated(0, shown("b"))]


def test_showing_a_name_again_updates_the_earlier_output_too():
    bench = Bench()
    bench.show("a", "bar")
    bench.drain()
    bench.show("b", "bar")
    bench.drain()
    assert [one.data["text/plain"] for one in bench.outputs] == ["b", "b"]


def test_an_updated_result_stays_a_result():
    bench = Bench()
    bench.send(
        "execute_result",
        execution_count=3,
        data={"text/plain": "a"},
        metadata={},
        transient={"display_id": "bar"},
    )
    bench.drain()
    bench.displays.update("bar", DisplayOutput(data={"text/plain": "b"}, display_id="bar"))
    bench.drain()
    assert bench.outputs == [
        ResultOutput(execution_count=3, data={"text/plain": "b"}, display_id="bar")
    ]


def test_a_cleared_display_is_updated_no_more():
    bench = Bench()
    bench.show("a", "bar")
    bench.send("clear_output", wait=False)
    bench.print("x")
    bench.drain()
    bench.displays.update("bar", shown("b"))
    assert bench.drain() == []
    assert bench.displays.empty


def test_text_beyond_the_limit_keeps_head_and_tail_and_is_told_once():
    bench = Bench(stream_bytes=1_000)
    for number in range(1_000):
        bench.print(f"line {number}\n")
        bench.drain()
    bench.collector.finish()
    bench.drain()
    assert bench.text.startswith("line 0\n")
    assert bench.text.endswith("line 999\n")
    assert "left out" in bench.text
    assert len(bench.text) < 1_100
    bench.print("late\n")
    assert bench.drain(late=True) == []


def test_an_error_stands_behind_the_end_of_the_text_that_came_before_it():
    bench = Bench(stream_bytes=1_000)
    for number in range(1_000):
        bench.print(f"line {number}\n")
        bench.drain()
    bench.send("error", ename="ValueError", evalue="no", traceback=["t"])
    bench.collector.finish()
    bench.drain()
    text, error = bench.outputs
    assert text.text.endswith("line 999\n")
    assert isinstance(error, ErrorOutput)


def test_text_behind_an_error_in_a_flood_has_its_real_end():
    bench = Bench(stream_bytes=1_000)
    bench.print("x" * 2_000)
    bench.send("error", ename="ValueError", evalue="shown by the cell itself", traceback=["t"])
    bench.print("y" * 2_000)
    bench.print("the end\n")
    bench.drain()
    bench.collector.finish()
    bench.drain()
    before, error, behind = bench.outputs
    assert isinstance(error, ErrorOutput)
    assert before.text.endswith("x" * 500)
    assert behind.text.startswith("\n… 1.5 kB left out …\ny")
    assert behind.text.endswith("ythe end\n")
    bench.print("late\n")
    assert bench.drain(late=True) == []


def test_many_errors_in_a_flood_stay_within_the_limits_and_its_end_is_the_real_one():
    bench = Bench(stream_bytes=1_000, run_output_bytes=5_000)
    for number in range(100):
        bench.print("x" * 1_000)
        bench.send("error", ename="ValueError", evalue=str(number), traceback=["t" * 50])
        bench.print(f"behind {number}\n")
        bench.drain()
    bench.collector.finish()
    bench.drain()
    assert bench.text.endswith("behind 99\n")
    assert sum(len(one.model_dump_json()) for one in bench.outputs) < 10_000


def test_text_a_little_over_the_head_is_kept_whole():
    bench = Bench(stream_bytes=1_000)
    bench.print("x" * 600)
    assert bench.drain() == [OutputAdded(0, StreamOutput(name="stdout", text="x" * 500))]
    bench.print("y" * 300)
    assert bench.drain() == []
    bench.collector.finish()
    bench.drain()
    assert bench.text == "x" * 600 + "y" * 300


def test_the_truncation_is_told_once_whatever_overflows():
    bench = Bench(stream_bytes=100, run_outputs=3)
    bench.print("x" * 1_000)
    for number in range(10):
        bench.show(str(number))
    bench.collector.finish()
    changes = bench.drain()
    assert sum(isinstance(one, OutputTruncated) for one in changes) == 1
    assert len(bench.outputs) == 4


def test_an_error_is_kept_however_full_it_is():
    bench = Bench(run_outputs=2)
    for number in range(5):
        bench.show(str(number))
    bench.send("error", ename="ValueError", evalue="no", traceback=["t"])
    bench.drain()
    assert isinstance(bench.outputs[-1], ErrorOutput)


def test_displays_over_the_bytes_of_a_run_are_refused_but_small_ones_still_fit():
    bench = Bench(run_output_bytes=100)
    bench.show("x" * 80)
    bench.show("y" * 80)
    bench.show("z" * 10)
    changes = bench.drain()
    assert [one.data["text/plain"][0] for one in bench.outputs] == ["x", "z"]
    assert sum(isinstance(one, OutputTruncated) for one in changes) == 1


def test_an_update_that_would_be_too_large_is_refused():
    bench = Bench(run_output_bytes=100)
    bench.show("x", "bar")
    bench.drain()
    bench.displays.update("bar", shown("y" * 200))
    assert [type(one) for one in bench.drain()] == [OutputTruncated]
    assert bench.outputs[0].data["text/plain"] == "x"


def test_an_undecoded_stream_keeps_its_ends():
    bench = Bench(stream_bytes=100)
    bench.send("stream", LeftOut(5_000, "the end\n"), name="stdout", text="begin\n" + "x" * 100)
    bench.collector.finish()
    bench.drain()
    assert bench.text.startswith("begin\n")
    assert bench.text.endswith("the end\n")
    assert "5.1 kB left out" in bench.text


@pytest.mark.parametrize("kind", ["stream", "display_data", "execute_result"])
def test_an_output_that_was_not_read_is_a_sentence(kind):
    bench = Bench()
    bench.send(kind, LeftOut(95_000_000, ""))
    changes = bench.drain()
    assert bench.outputs == [shown("An output of 95 MB is too large to keep.")]
    assert isinstance(changes[-1], OutputTruncated)


def test_what_a_widget_captures_is_not_the_cells():
    bench = Bench()
    held = {"method": "update", "state": {"msg_id": RUN}}
    freed = {"method": "update", "state": {"msg_id": ""}}
    bench.print("before\n")
    bench.send("comm_msg", comm_id="w", data=held)
    bench.print("captured\n")
    bench.show("captured")
    bench.send("comm_msg", comm_id="other", data={"method": "update", "state": {"value": 1}})
    bench.send("comm_msg", comm_id="w", data=freed)
    bench.print("after\n")
    bench.drain()
    assert bench.outputs == [StreamOutput(name="stdout", text="before\nafter\n")]


def test_late_changes_are_marked_and_only_appended():
    bench = Bench()
    bench.print("open line")
    bench.drain()
    bench.collector.finish()
    bench.collector.forget()
    bench.print("late\n")
    assert bench.drain(late=True) == [OutputAppended(0, "late\n", late=True)]


def test_every_change_wakes_the_one_who_tells():
    bench = Bench()
    bench.print("a")
    before = bench.beats
    bench.print("b")
    assert bench.beats > before


def test_empty_prints_are_nothing():
    bench = Bench()
    bench.print("")
    assert not bench.collector.dirty
