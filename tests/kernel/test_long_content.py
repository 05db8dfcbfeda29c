import json

import pytest

from cave_lab.kernel.long_content import shorten
from cave_lab.kernel.message import Header


def header(kind: str) -> Header:
    return Header(kind, "m", "run", "execute_request")


def raw(content: dict, **options) -> bytes:
    return json.dumps(content, **options).encode()


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("name_first", [True, False])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_both_ends_of_a_stream_are_read(ascii_only, name_first, separators):
    text = "\n".join(f'{number} "ünï" \\ \t 🐟' for number in range(20_000))
    name, body = {"name": "stderr"}, {"text": text}
    content = {**name, **body} if name_first else {**body, **name}
    encoded = raw(content, ensure_ascii=ascii_only, separators=separators)
    message = shorten(header("stream"), encoded, 1_000)
    assert message.content["name"] == "stderr"
    assert message.left_out is not None
    assert len(message.content["text"]) > 300
    assert text.startswith(message.content["text"])
    assert len(message.left_out.tail) > 300
    assert text.endswith(message.left_out.tail)
    assert message.left_out.size > len(encoded) - 3_000


@pytest.mark.parametrize("keep", range(40, 80))
def test_a_cut_may_fall_anywhere(keep):
    text = '🐟\\"\n\u2028' * 200
    message = shorten(header("stream"), raw({"name": "stdout", "text": text}), keep)
    assert message.left_out is not None
    assert text.startswith(message.content["text"])
    assert text.endswith(message.left_out.tail)


def test_a_stream_in_an_unknown_form_is_told_by_its_size():
    encoded = raw({"x": 1, "name": "stdout", "text": "y" * 5_000})
    message = shorten(header("stream"), encoded, 100)
    assert message.content == {}
    assert message.left_out is not None
    assert message.left_out.size == len(encoded)


def test_of_a_picture_only_the_size_is_told():
    encoded = raw({"data": {"image/png": "A" * 5_000}})
    message = shorten(header("display_data"), encoded, 100)
    assert message.content == {}
    assert message.left_out is not None
    assert message.left_out.size == len(encoded)


def test_a_reply_keeps_its_status_and_the_errors_name():
    encoded = raw(
        {
            "status": "error",
            "traceback": ['"ename": "Fake"' * 500],
            "ename": "ValueError",
            "evalue": '{"ename": "Fake", "status": "ok"}' * 500,
        }
    )
    message = shorten(header("execute_reply"), encoded, 100)
    assert message.content == {"status": "error", "ename": "ValueError"}


def test_an_error_keeps_its_name():
    encoded = raw({"traceback": ["x" * 5_000], "ename": "ValueError", "evalue": "x"})
    assert shorten(header("error"), encoded, 100).content == {"ename": "ValueError"}
