"""The tree of errors. Each has a stable `code` and a sentence for the person.

CaveLabError
├── InvalidCommand          the client sent something that is not a command
├── NotFound                the thread or blob is not there, or is not yours: the same answer
├── Forbidden               this connection may not do that
├── ApprovalClosed          the approval was answered or withdrawn before
├── ApprovalMismatch        the code shown is not the code proposed
├── ModeNotAllowed          an administrator capped the modes
├── ThreadElsewhere         another living server owns the thread
├── LimitReached            a queue, size or rate limit
├── JournalError
│   ├── JournalUnavailable  disk full, read-only, locked
│   ├── JournalCorrupt      set aside, never deleted
│   └── JournalTooNew       written by a newer CaveLab
├── KernelError
│   ├── NoKernel            nothing runs for this notebook
│   ├── KernelLost          memory is gone: died, restarted, shut down
│   ├── KernelSilent        no answer within the time limit
│   └── ProbeUnavailable    variables can't be read for this kernel
└── ModelError
    ├── ModelNotSet         no model has been chosen
    ├── ModelNotFound       the provider does not know this model
    ├── ModelKeyRejected    wrong or forbidden key, or none where one is wanted
    │   └── ModelKeyMissing there is none to send
    ├── ModelQuota          quota or billing
    ├── ModelRateLimited    too many requests
    ├── ModelUnreachable    refused, reset, timed out, DNS
    │   └── ModelDropped    taken and dropped before the first token
    ├── ModelServerFault    5xx
    ├── ModelTimeout        no content within the limit
    ├── ModelInterrupted    the stream broke after the first token
    ├── EmptyResponse       an answer without content
    ├── ContextTooLong      does not fit the model's window
    ├── ToolsUnsupported    the model has no tools
    ├── ImagesRefused       the model takes no images
    ├── FiguresRefused      too many or too large images, or of a kind that it does not take
    ├── ModelRefused        the provider's content policy
    └── ModelBadRequest     any other refusal of the request
"""

from __future__ import annotations

from typing import ClassVar


class CaveLabError(Exception):
    """Base of all errors that reach a person; `str(error)` is a full sentence."""

    code: ClassVar[str] = "internal_error"
    default: ClassVar[str] = "CaveLab failed. Nothing was changed. Try again."

    def __init__(self, sentence: str | None = None, *, detail: str | None = None) -> None:
        super().__init__(sentence or self.default)
        self.detail = detail
        """The other side's own words, scrubbed of secrets, or None."""


class InvalidCommand(CaveLabError):
    """The frame is not a command of this protocol."""

    code = "invalid_command"
    default = "The request was not understood and nothing was changed. Reload the page."


class NotFound(CaveLabError):
    """The thing does not exist, or belongs to someone else."""

    code = "not_found"
    default = "This thread is not there. It may have been deleted."


class Forbidden(CaveLabError):
    """The connection lacks the right to do this."""

    code = "forbidden"
    default = "This connection may not do that. Use the panel in JupyterLab."


class ApprovalClosed(CaveLabError):
    """The approval has been closed before this answer came."""

    code = "approval_closed"
    default = "This cell is no longer waiting for an answer. Nothing was run by this click."


class ApprovalMismatch(CaveLabError):
    """The answer names another code than the stored one."""

    code = "approval_mismatch"
    default = "The code on the card is not the code that was proposed. Nothing was run."


class ModeNotAllowed(CaveLabError):
    """The mode is not among those the administrator allows."""

    code = "mode_not_allowed"
    default = "This mode is switched off by the server's configuration. The mode stays as it was."


class ThreadElsewhere(CaveLabError):
    """Another living server owns the thread."""

    code = "thread_elsewhere"
    default = "This thread is in use by another Jupyter server. It can only be read here."


class LimitReached(CaveLabError):
    """A size, rate or queue limit was reached."""

    code = "limit_reached"
    default = "That is more than CaveLab takes at once. Nothing was changed."


class JournalError(CaveLabError):
    """Base of the journal's errors."""

    code = "journal_error"


class JournalUnavailable(JournalError):
    """The journal can't be written; nothing may run without it."""

    code = "journal_unavailable"
    default = (
        "CaveLab's journal can't be written, so nothing was run. "
        "Check the disk's space and rights, then try again."
    )


class JournalCorrupt(JournalError):
    """The journal file is damaged; it is set aside."""

    code = "journal_corrupt"
    default = "CaveLab's journal was damaged. It was set aside unchanged and a new one was begun."


class JournalTooNew(JournalError):
    """The journal was written by a newer version."""

    code = "journal_too_new"
    default = "CaveLab's journal was written by a newer CaveLab. Update CaveLab to open it."


class KernelError(CaveLabError):
    """Base of the kernel's errors."""

    code = "kernel_error"


class NoKernel(KernelError):
    """No kernel runs for this notebook."""

    code = "no_kernel"
    default = "This notebook has no running kernel. Start one, then send the message again."


class KernelLost(KernelError):
    """The kernel's memory is gone."""

    code = "kernel_lost"
    default = "The kernel was restarted or died: its variables are gone. Run your cells again."


class KernelSilent(KernelError):
    """The kernel did not answer in time."""

    code = "kernel_silent"
    default = "The kernel does not answer. It may be busy in compiled code. Wait, or restart it."


class ProbeUnavailable(KernelError):
    """Variables can't be read for this kernel."""

    code = "probe_unavailable"
    default = "Variables are not available for this kernel."


UNCHANGED = "Your notebook and variables are as they were."
"""In what state a call that failed leaves things."""


class ModelError(CaveLabError):
    """Base of the model side's errors; each says what happened, how things are, what to do next."""

    code = "model_error"
    happened: ClassVar[str] = "The model could not answer."
    """All that is told of a failure which is tried again by itself."""
    default = f"{happened} {UNCHANGED} Try again, or check the model settings."

    def __init__(
        self,
        sentence: str | None = None,
        *,
        detail: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(sentence, detail=detail)
        self.retry_after = retry_after
        """Seconds that the provider asks to wait, or None."""


class ModelNotSet(ModelError):
    """No model has been chosen yet."""

    code = "model_not_set"
    happened = "No model is chosen yet, so nothing was sent."
    default = f"{happened} Choose one in the model settings, or take the guided tour."


class ModelNotFound(ModelError):
    """The provider does not know the model's name."""

    code = "model_not_found"
    happened = "The provider does not know this model."
    default = f"{happened} {UNCHANGED} Check its name and the base URL."


class ModelKeyRejected(ModelError):
    """The key is missing, wrong, or not allowed to use this model."""

    code = "model_key_rejected"
    happened = "The provider rejected the key."
    default = (
        f"{happened} It is missing, wrong, or may not use this model. {UNCHANGED} "
        "Check the environment variable that holds it, then restart the Jupyter server if you "
        "changed it."
    )
    unnamed = (
        f"The server wants a key, and none is named for this base URL. {UNCHANGED} Write the name "
        "of the environment variable that holds the key into the model settings."
    )


class ModelKeyMissing(ModelKeyRejected):
    """No key was found, so the provider was not asked at all."""

    code = "model_key_missing"
    happened = "No key or other credentials were found for this provider, so nothing was sent."
    default = (
        f"{happened} {UNCHANGED} Set the environment variables that the provider wants where the "
        "Jupyter server runs, then restart it, or choose another model."
    )


class ModelQuota(ModelError):
    """The account's quota or credit is used up."""

    code = "model_quota"
    happened = "The account's quota or credit is used up."
    default = f"{happened} {UNCHANGED} Check the provider's billing page, or choose another model."


class ModelRateLimited(ModelError):
    """Too many requests at the moment."""

    code = "model_rate_limited"
    happened = "The provider is receiving too many requests."
    default = f"{happened} {UNCHANGED} Wait a moment, then try again."


class ModelUnreachable(ModelError):
    """No connection to the provider."""

    code = "model_unreachable"
    happened = "The model's server can't be reached."
    default = f"{happened} {UNCHANGED} Check the base URL, and that the server runs."


class ModelDropped(ModelUnreachable):
    """The provider took the connection and dropped it before the first token."""

    code = "model_dropped"
    happened = "The model's server dropped the connection before it answered."
    default = f"{happened} {UNCHANGED} Try again."


class ModelServerFault(ModelError):
    """The provider failed on its side."""

    code = "model_server_fault"
    happened = "The provider failed on its side."
    default = f"{happened} {UNCHANGED} Try again in a moment."


class ModelTimeout(ModelError):
    """No content arrived within the limit."""

    code = "model_timeout"
    happened = "The model sent nothing for too long, so the call was ended."
    default = f"{happened} {UNCHANGED} Try again, or choose another model."


class ModelInterrupted(ModelError):
    """The stream broke off after the first token."""

    code = "model_interrupted"
    happened = "The answer broke off."
    rest: ClassVar[str] = (
        "What came so far is kept; nothing of an unfinished cell ran. Go on from there, or try "
        "again."
    )
    """In what state such a call leaves things, and what to do next, however it broke off."""
    default = f"{happened} {rest}"


class EmptyResponse(ModelError):
    """The provider said all is well and sent nothing."""

    code = "empty_response"
    happened = "The model sent an empty answer, or what came was no answer of a model."
    default = f"{happened} {UNCHANGED} Check that the base URL points to its API, then try again."


class ContextTooLong(ModelError):
    """The conversation does not fit the model's window."""

    code = "context_too_long"
    happened = "The conversation no longer fits this model."
    default = f"{happened} {UNCHANGED} Begin a new thread: the variables stay."


class ToolsUnsupported(ModelError):
    """The model can't call tools."""

    code = "tools_unsupported"
    happened = "This model can't call tools, and was told to."
    default = (
        f"{happened} {UNCHANGED} Choose “Automatic” for how it asks for cells, or another model."
    )


class ImagesRefused(ModelError):
    """The model was given figures as images, and takes none."""

    code = "images_refused"
    happened = "This model takes no images, and was given figures."
    default = f"{happened} {UNCHANGED} Send the message again: it will be told of them in words."


class FiguresRefused(ModelError):
    """The provider did not accept these images; the model may well take others."""

    code = "figures_refused"
    happened = "The provider did not accept the figures of this turn."
    default = f"{happened} {UNCHANGED} Send the message again, and see its own words below."


class ModelRefused(ModelError):
    """The provider's content policy refused."""

    code = "model_refused"
    happened = "The provider refused this request by its content policy."
    default = f"{happened} {UNCHANGED} Rephrase it."


class ModelBadRequest(ModelError):
    """The provider refused the request for another reason."""

    code = "model_bad_request"
    happened = "The provider did not accept the request."
    default = f"{happened} {UNCHANGED} Check the model settings and its own words below."
