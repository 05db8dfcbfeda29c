"""Labs with and without the probe, on each kernel that can be had here."""

from collections.abc import AsyncIterator

import pytest

from tests.kernel.probe.kernels import KERNELS, PRESENT, kernel_python
from tests.kernel.probe.lab import Lab, started_lab


@pytest.fixture(params=KERNELS)
async def bare(request: pytest.FixtureRequest) -> AsyncIterator[Lab]:
    """A kernel without the probe: present and old."""
    async with started_lab(kernel_python(request.param)) as lab:
        yield lab


@pytest.fixture
async def lab(bare: Lab) -> Lab:
    """A kernel with the probe: present and old."""
    await bare.inject()
    return bare


@pytest.fixture
async def new_lab() -> AsyncIterator[Lab]:
    """A kernel of the tests' own interpreter with the probe."""
    async with started_lab(PRESENT) as lab:
        await lab.inject()
        yield lab
