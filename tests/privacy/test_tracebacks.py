"""Tracebacks that real kernels made are shortened to what points at the person's code."""

from collections.abc import Callable, Iterator

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from cave_lab.privacy.output_text import outputs_text
from cave_lab.privacy.tracebacks import CHARS, short_traceback
from cave_lab.protocol.content import ErrorOutput, Output, StreamOutput
from tests.kernel.probe.kernels import BUILD_SECONDS, kernel_python

pytestmark = pytest.mark.timeout(BUILD_SECONDS)

HELPER = """
def calls(f, *args):
    return f(*args)

def misses(key):
    return {}[key]
"""
BAD = "def f(:\n    pass\n"
DEEP = "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(40))

Told = Callable[[str], str]


@pytest.fixture(scope="module", params=["present", "bare"])
def kernel(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Told]:
    """Runs a cell in a kernel of ipykernel's newest or oldest supported release."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "helper.py").write_text(HELPER)
    (folder / "bad.py").write_text(BAD)
    manager = KernelManager()
    assert manager.kernel_spec is not None
    manager.kernel_spec.argv[0] = kernel_python(request.param).path
    manager.start_kernel(cwd=str(folder))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        yield lambda code: _told(client, code)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _told(client: BlockingKernelClient, code: str) -> str:
    """What the model is told of a cell."""
    outputs: list[Output] = []

    def hear(message: dict) -> None:
        content = message["content"]
        if message["msg_type"] == "error":
            outputs.append(
                ErrorOutput(
                    **{key: content[key] for key in ErrorOutput.model_fields if key in content}
                )
            )
        elif message["msg_type"] == "stream":
            outputs.append(StreamOutput(name=content["name"], text=content["text"]))

    client.execute_interactive(code, output_hook=hear, timeout=60)
    return outputs_text(outputs)


def test_an_error_in_a_cell_is_its_line_and_its_message(kernel: Told) -> None:
    told = kernel("x = 0\n1 / x")
    assert told.startswith("Cell In[")
    assert "----> 2 1 / x" in told
    assert told.endswith("\nZeroDivisionError: division by zero")
    assert "----------" not in told.replace("----> ", "")


def test_of_a_librarys_frames_only_the_one_that_raised_is_kept(kernel: Told) -> None:
    told = kernel("import json\njson.loads('{bad')")
    lines = told.split("\n")
    assert lines[0] == "Traceback (most recent call last):"
    assert "----> 2 json.loads('{bad')" in told
    assert "[… 2 library frames left out …]" in lines
    assert told.count("File ") == 1
    assert "in JSONDecoder.raw_decode(" in told
    assert lines[-1].startswith("JSONDecodeError: Expecting property name")
    assert len(told) < 500


def test_frames_of_the_persons_own_files_stay(kernel: Told) -> None:
    told = kernel(
        "import sys\nsys.path.insert(0, '')\nimport helper\nhelper.calls(helper.misses, 'k')"
    )
    assert "----> 4 helper.calls(helper.misses, 'k')" in told
    assert told.count("helper.py:") == 2
    assert "return {}[key]" in told
    assert "library" not in told
    assert told.endswith("KeyError: 'k'")


def test_a_library_between_two_own_frames_is_counted(kernel: Told) -> None:
    told = kernel("import re\ndef fails(found):\n    return 1 / 0\nre.sub('a', fails, 'a')")
    assert "----> 4 re.sub('a', fails, 'a')" in told
    assert "[… 1 library frame left out …]" in told
    assert "----> 3     return 1 / 0" in told
    assert "File " not in told


def test_chained_exceptions_are_both_told_and_how_they_are_linked(kernel: Told) -> None:
    code = "import json\ntry:\n    json.loads('{bad')\nexcept ValueError as error:\n    {}['b']"
    told = kernel(code)
    first, second = told.split(
        "\n\nDuring handling of the above exception, another exception occurred:\n\n"
    )
    assert "JSONDecodeError: Expecting" in first
    assert second.endswith("KeyError: 'b'")
    caused = kernel(
        "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('no') from error"
    )
    assert "\n\nThe above exception was the direct cause of the following exception:\n\n" in caused
    assert caused.endswith("ValueError: no")


def test_a_syntax_error_is_shown_at_its_place(kernel: Told) -> None:
    told = kernel("x = = 1")
    assert told.split("\n")[1:] == ["    x = = 1", "        ^", "SyntaxError: invalid syntax"]
    in_a_file = kernel("import sys\nsys.path.insert(0, '')\nimport bad")
    assert "interactiveshell" not in in_a_file
    assert "import bad" in in_a_file
    assert "bad.py:1\n    def f(:\n" in in_a_file
    assert in_a_file.endswith("SyntaxError: invalid syntax")


def test_a_function_that_calls_itself_for_ever_is_told_in_a_few_lines(kernel: Told) -> None:
    told = kernel("def again(n):\n    return again(n + 1)\nagain(0)")
    assert len(told) < 900
    assert "again(0)" in told
    assert "RecursionError: maximum recursion depth exceeded" in told.split("\n")[-1]


def test_of_a_deep_stack_the_ends_are_told(kernel: Told) -> None:
    told = kernel(f"{DEEP}def f40(x):\n    return 1 / x\nf0(0)")
    assert "f0(0)" in told
    assert "frames left out …]" in told
    assert "return 1 / x" in told
    assert len(told) < CHARS + 10


def test_a_long_message_keeps_the_place_and_both_its_ends(kernel: Told) -> None:
    told = kernel("raise ValueError('begin ' + 'row\\n' * 10_000 + ' end')")
    assert "raise ValueError('begin '" in told
    assert "ValueError: begin row" in told
    assert told.endswith(" end")
    assert len(told) < CHARS


def test_modes_of_ipythons_own_are_read_too(kernel: Told) -> None:
    try:
        for mode in ("Plain", "Verbose", "Minimal"):
            kernel(f"%xmode {mode}")
            told = kernel("import json\njson.loads('{bad')")
            assert told.rstrip().split("\n")[-1].startswith("JSONDecodeError: Expecting")
            assert len(told) < 600
            if mode != "Minimal":
                assert "json.loads('{bad')" in told
                assert "[… 2 library frames left out …]" in told
    finally:
        kernel("%xmode Context")


def test_a_group_of_exceptions_is_told_with_all_its_members(kernel: Told) -> None:
    told = kernel(
        "try:\n    many = ExceptionGroup('many', [ValueError('a'), TypeError('b')])\n"
        "except NameError:\n    print('no groups here')\nelse:\n    raise many"
    )
    groups = "ExceptionGroup: many (2 sub-exceptions)" in told
    assert groups or told == "no groups here"
    assert ("ValueError: a" in told, "TypeError: b" in told) == (groups, groups)


# ── what is no traceback of IPython's


@pytest.mark.parametrize(
    "text",
    [
        "",
        "KeyError: 'a'",
        'Error in f(1): no\nTraceback:\n\n1. f(1)\n2. stop("no") at line 3 of file <text>',
        "Stacktrace:\n [1] error(s::String)\n   @ Base ./error.jl:35\n [2] top-level scope",
        "evalmachine.<anonymous>:1\nthrow new Error('x')\n^\n\nError: x\n    at vm.js:1",
        "An exception has occurred, use %tb to see the full traceback.\n\nSystemExit: 3\n",
    ],
)
def test_other_tracebacks_stay_as_they_are(text: str) -> None:
    assert short_traceback(text) == text


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("~/work/model.py", False),
        ("/srv/lib/mine.py", False),
        ("<string>", False),
        ("~\\Documents\\mine.py", False),
        ("~/.local/lib/python3.12/site-packages/pandas/core/frame.py", True),
        ("/usr/lib/python3/dist-packages/numpy/core.py", True),
        ("/opt/conda/lib/python3.11/json/decoder.py", True),
        ("C:\\Python311\\Lib\\json\\decoder.py", True),
        ("C:\\env\\Lib\\site-packages\\pandas\\core\\frame.py", True),
        ("<frozen importlib._bootstrap>", True),
        ("pandas/_libs/index.pyx", True),
    ],
)
def test_libraries_are_known_by_where_they_lie(path: str, library: bool) -> None:
    frames = f"Cell In[1], line 1\n----> 1 f()\n\nFile {path}:7, in f(x)\n----> 7 g()\n\n"
    told = short_traceback(f"{frames}Cell In[1], line 9, in g()\n----> 9 no\n\nNameError: no")
    assert ("1 library frame left out" in told) is library
    assert ("----> 7 g()" in told) is not library
