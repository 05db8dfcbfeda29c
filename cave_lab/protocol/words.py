"""The closed sets of words that events, commands and state share."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypeAliasType

Mode = TypeAliasType("Mode", Literal["chat", "review", "guarded", "auto"])
PrivacyMode = TypeAliasType("PrivacyMode", Literal["schema", "standard", "full"])
ActionFormat = TypeAliasType("ActionFormat", Literal["tools", "fences"])
Effort = TypeAliasType("Effort", Literal["low", "medium", "high"])
StopReason = TypeAliasType(
    "StopReason",
    Literal[
        "end_turn",
        "max_runs",
        "max_tokens",
        "max_cost",
        "max_time",
        "cancelled",
        "interrupted",
        "refusal",
        "model_error",
        "kernel_lost",
        "journal_unavailable",
        "internal_error",
    ],
)
RunStatus = TypeAliasType(
    "RunStatus",
    Literal[
        "ok",
        "error",
        "interrupted",
        "kernel_died",
        "kernel_restarted",
        "rejected",
        "not_run",
        "unknown",
    ],
)
ApprovalOutcome = TypeAliasType(
    "ApprovalOutcome",
    Literal[
        "run",
        "run_edited",
        "rejected",
        "allowed_by",
        "cancelled",
        "kernel_changed",
        "server_restarted",
    ],
)
NextStep = TypeAliasType(
    "NextStep",
    Literal[
        "open_model_settings",
        "try_again",
        "new_thread",
        "restart_kernel",
        "wait_for_kernel",
        "rerun_my_cells",
        "continue_without",
        "start_kernel",
        "ask_again",
        "reload_page",
        "go_on",
        "extend_budget",
    ],
)
Refusal = Literal[
    "two_actions",
    "unknown_tool",
    "broken_arguments",
    "empty_code",
    "broken_code",
    "cut",
    "mode",
    "call_as_text",
    "wrong_language",
    "looks_in_a_row",
]
"""Why an action that the model asked for can't be used."""
