import math

import pytest

from cave_lab.kernel import outputs
from cave_lab.limits import Limits
from cave_lab.protocol.content import StreamOutput

LIMITS = Limits(traceback_lines=10, traceback_chars=1_000, error_chars=40)


def test_lone_surrogates_are_replaced_and_whole_ones_stay():
    assert outputs.clean_text("a\ud800b 🐟") == "a?b 🐟"
    assert outputs.clean_text("plain") == "plain"


def test_whatever_a_kernel_sends_becomes_storable():
    display = outputs.display_output(
        {
            "data": {"text/plain": "x\udfff", "application/json": [math.nan, {"a": math.inf}]},
            "metadata": None,
            "transient": {"display_id": "d"},
        }
    )
    assert display.data == {"text/plain": "x?", "application/json": [None, {"a": None}]}
    assert display.metadata == {}
    assert display.display_id == "d"
    display.model_dump_json()


@pytest.mark.parametrize("content", [{}, {"data": 3}, {"data": None, "transient": "d"}])
def test_a_display_without_form_is_an_empty_one(content):
    assert outputs.display_output(content).data == {}


def test_an_error_without_form_has_a_name():
    error = outputs.error_output({"traceback": "no list"}, LIMITS)
    assert (error.ename, error.evalue, error.traceback) == ("Error", "", [])


def test_a_long_traceback_keeps_both_ends():
    frames = [f"frame {number}\nline" for number in range(50)]
    lines = outputs.error_output({"ename": "E", "traceback": frames}, LIMITS).traceback
    assert lines[0] == "frame 0"
    assert lines[-2:] == ["frame 49", "line"]
    assert lines[5] == "… 90 lines left out …"


def test_a_traceback_with_an_endless_line_is_cut_within_the_line():
    lines = outputs.error_output({"ename": "E", "traceback": ["a" * 5_000]}, LIMITS).traceback
    assert len(lines[0]) < 200
    assert " … " in lines[0]


def test_a_long_message_keeps_both_ends():
    error = outputs.run_error({"ename": "E", "evalue": "begin" + "x" * 500 + "end"}, LIMITS)
    assert error.evalue.startswith("begin")
    assert error.evalue.endswith("end")
    assert len(error.evalue) < 60


def test_a_short_traceback_stays_as_it_came():
    frames = ["one\ntwo", "three"]
    assert outputs.error_output({"traceback": frames}, LIMITS).traceback == frames


def test_sizes_are_read_as_people_read_them():
    sizes = [5, 1_500, 250_000, 12_345_678, 3_000_000_000]
    words = ["5 bytes", "1.5 kB", "250 kB", "12 MB", "3.0 GB"]
    assert [outputs.readable_bytes(size) for size in sizes] == words


def test_the_size_of_an_output_counts_text_and_structures():
    assert outputs.output_bytes(StreamOutput(name="stdout", text="abc")) == 3
    data = {"image/png": "AAAA", "application/json": {"a": "ä"}}
    assert outputs.output_bytes(outputs.display_output({"data": data})) == 4 + 10


def test_what_is_nested_too_deeply_is_replaced_where_it_is_too_deep():
    deep: list = []
    for _ in range(900):
        deep = [deep]
    display = outputs.display_output({"data": {"application/json": deep, "text/plain": "x"}})
    assert display.data["text/plain"] == "x"
    assert "(nested too deeply to be kept)" in display.model_dump_json()
