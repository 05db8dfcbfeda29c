"""The rooms below a thread, for a test that needs no server: a real journal, no kernel."""

from cave_lab.errors import NoKernel
from cave_lab.journal.journal import Journal
from cave_lab.kernel.port import Binding
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.port import ModelChoice
from cave_lab.model.prompt import system_prompt
from cave_lab.model.replies import ModelReplies
from cave_lab.privacy.redact import NO_ENVIRONMENT
from cave_lab.protocol.content import Budgets, Target
from cave_lab.thread.services import Learned, Manner, Policy, Services


class NoKernels:
    """A server on which no kernel runs."""

    async def bind(self, target: Target) -> Binding:
        raise NoKernel

    async def close(self) -> None:
        """Nothing is open."""


class AlwaysTools:
    """Models that all have tools."""

    async def of(self, owner: str, choice: ModelChoice) -> Manner:
        return Manner()

    async def learn(self, owner: str, choice: ModelChoice, reason: Learned) -> bool:
        return False

    def blind(self, choice: ModelChoice) -> None:
        raise AssertionError("no images were sent")


def services_over(journal: Journal, policy: Policy | None = None) -> Services:
    """Services over a journal."""
    policy = policy or Policy()

    async def budgets(owner: str) -> Budgets:
        return policy.budgets

    return Services(
        journal=journal,
        kernels=NoKernels(),
        replies=ModelReplies(DEFAULT_LIMITS),
        choice=lambda owner, name: ModelChoice(name or "cave-lab/tour"),
        manners=AlwaysTools(),
        budgets=budgets,
        system_prompt=system_prompt,
        redact=NO_ENVIRONMENT,
        policy=policy,
    )
