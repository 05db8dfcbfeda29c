"""A look at the variables for the person: what the model would be told of them now."""

from __future__ import annotations

from cave_lab import errors
from cave_lab.kernel.port import KernelLink
from cave_lab.privacy.modes import previews_wanted, variables_out
from cave_lab.protocol.content import Target
from cave_lab.protocol.frames import VariablesResult
from cave_lab.protocol.words import PrivacyMode
from cave_lab.thread.services import Services
from cave_lab.thread.thread import Thread


async def look_in(thread: Thread) -> VariablesResult:
    """What the thread's model would be told; one that only reads the thread has no kernel of it."""
    try:
        link = await thread.bind() if thread.read_only is None else None
        if link is None:
            raise errors.NoKernel
        return await _seen(link, thread.state.privacy)
    except errors.KernelError as error:
        return _unavailable(error)


async def look_at(services: Services, target: Target) -> VariablesResult:
    """What a thread that begins here would be told, before there is one."""
    try:
        binding = await services.kernels.bind(target)
        return await _seen(binding.link, services.policy.default_privacy)
    except errors.KernelError as error:
        return _unavailable(error)


async def _seen(link: KernelLink, privacy: PrivacyMode) -> VariablesResult:
    seen = await link.variables(previews=previews_wanted(privacy))
    return VariablesResult(
        variables=variables_out(privacy, seen.variables), total=seen.total, unavailable=None
    )


def _unavailable(error: errors.KernelError) -> VariablesResult:
    return VariablesResult(variables=[], total=0, unavailable=str(error))
