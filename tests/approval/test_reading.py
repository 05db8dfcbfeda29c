"""What the kernel could not even read is found before it runs; nothing that it could read is."""

import sys

import pytest

from cave_lab.approval.reading import MOST_CHARS, fault_of

OURS = ".".join(map(str, sys.version_info[:3]))
NEWER = f"{sys.version_info[0]}.{sys.version_info[1] + 1}.0"


@pytest.mark.parametrize(
    "code",
    ["x = = 1", "print('a'", "for x in range(3):\npass", "def f(:\n    pass", "x = 'open"],
)
def test_code_that_no_kernel_can_read_is_named_with_its_line(code: str) -> None:
    fault = fault_of(code, "python", OURS)
    assert fault is not None
    assert "line " in fault


@pytest.mark.parametrize(
    "code",
    [
        "x = 1",
        "# only a remark",
        "await asyncio.sleep(0)",
        "async with lock:\n    pass",
        "%matplotlib inline\nx = 1",
        "%%bash\nif true; then echo = = ; fi",
        "!ls -l {folder}",
        "files = !ls",
        "df?",
        "%%timeit\nsum(range(3))",
        "return 1",
    ],
)
def test_what_ipython_can_read_has_no_fault(code: str) -> None:
    assert fault_of(code, "python", OURS) is None


def test_other_kernels_are_left_to_read_for_themselves() -> None:
    broken = "x = = 1"
    assert fault_of(broken, "julia", "1.10.0") is None
    assert fault_of(broken, "python", NEWER) is None
    assert fault_of(broken, "python", "") is None
    assert fault_of(broken + "\n" * MOST_CHARS, "python", OURS) is None
