"""The rooms below a thread, for a test that needs no server: a real journal, no kernel."""

from cave_lab.errors import NoKernel
from cave_lab.journal.journal import Journal
from cave_lab.kernel.port import Binding
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.port import ModelChoice
from cave_lab.model.prompt import system_prompt
from cave_lab.model.replies import ModelReplies
from cave_lab.protocol.content import Target
from cave_lab.thread.services import Policy, Services


class NoKernels:
    """A server on which no kernel runs."""

    async def bind(self, target: Target) -> Binding:
        raise NoKernel

    async def close(self) -> None:
        """Nothing is open."""


def services_over(journal: Journal, policy: Policy | None = None) -> Services:
    """Services over a journal."""
    return Services(
        journal=journal,
        kernels=NoKernels(),
        replies=ModelReplies(DEFAULT_LIMITS),
        choice=lambda owner, name: ModelChoice(name or "cave-lab/tour"),
        system_prompt=system_prompt,
        redact=str,
        policy=policy or Policy(),
    )
