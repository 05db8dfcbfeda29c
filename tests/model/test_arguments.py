import json

import pytest

from cave_lab.model.arguments import CodeStream, read_arguments

SIZES = [1, 3, 1000]
CODES = [
    "x = 1",
    "print('hé 🎈')\n\tx = \"a\\\\b\"\r\n",
    "".join(map(chr, range(1, 128))),
    "🎈" * 50,
    '{"code": "not this"}',
    "",
]


def typed(arguments: str, size: int) -> str:
    stream = CodeStream()
    cut = range(0, len(arguments), size)
    return "".join(stream.feed(arguments[at : at + size]) for at in cut)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_code_typed_is_the_code_sent_at_any_chunk_size(size, code, ascii_only):
    arguments = json.dumps({"purpose": 'say "}', "code": code}, ensure_ascii=ascii_only)
    assert typed(arguments, size) == code == read_arguments(arguments)["code"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "before",
    [
        '"purpose": "p"',
        '"list": [1, {"code": "no", "b": "]}"}, "\\"}"]',
        '"number": -1.5e3',
        '"nothing": null',
        '"nested": {"code": "no"}',
        '"backslash": "\\\\"',
    ],
)
def test_other_values_before_the_code_are_passed_over(size, before):
    assert typed(f' {{ {before} , "code" : "x = 1" , "more": 2 }}', size) == "x = 1"


@pytest.mark.parametrize("size", SIZES)
def test_code_is_given_before_the_string_is_closed(size):
    assert typed('{"code": "x = 1\\ny', size) == "x = 1\ny"
    assert typed('{"code": "half \\ud83c', size) == "half "


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "arguments",
    [
        "print(1)",
        '["code"]',
        '{"code": 5}',
        '{"code": {"code": "x"}}',
        '{code: "x"}',
        '{"code" "x"}',
        '{"purpose": "x"}',
    ],
)
def test_what_is_not_the_code_is_never_shown_as_code(size, arguments):
    assert typed(arguments, size) == ""


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_shown_behind_broken_json(size):
    assert typed('{"code": "a\\qb"}', size) == "a"
    assert typed('{"code": "a\nb"}', size) == "a"
    assert typed('{"code": "a\\u12x4b"}', size) == "a"


@pytest.mark.parametrize("size", SIZES)
def test_half_a_surrogate_pair_is_shown_as_a_replacement(size):
    assert (
        typed('{"code": "\\ud83c\\ud83c\\udf88 \\udf88 \\ud83cx"}', size)
        == "\ufffd🎈 \ufffd \ufffdx"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "{",
        '{"code": "x"} {"code": "y"}',
        '{"code": "x", "code": "y"}',
        '{"code": "a\nb"}',
        "[" * 100_000,
    ],
)
def test_arguments_are_read_strictly(arguments):
    with pytest.raises(ValueError):
        read_arguments(arguments)


def test_arguments_must_be_an_object():
    with pytest.raises(TypeError):
        read_arguments('["code"]')
