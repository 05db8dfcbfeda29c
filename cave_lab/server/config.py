"""What an administrator can set: traits on `c.CaveLab`, read once at the start."""

from __future__ import annotations

from traitlets import Bool, Enum, Float, HasTraits, Integer, List, Unicode

from cave_lab.limits import DEFAULT_LIMITS

MODES = ("chat", "review", "auto")
"""The most careful first."""
PRIVACY_MODES = ("schema", "standard", "full")


class Settings(HasTraits):
    """The traits of `c.CaveLab`; nothing in a project's folder or a notebook can set them."""

    model = Unicode(
        "",
        help="Name of the model to begin with, as litellm writes it, such as 'openai/gpt-5'.",
    ).tag(config=True)
    api_base = Unicode(
        "", help="Base URL of an OpenAI-compatible server; empty for the provider's own."
    ).tag(config=True)
    key_env = Unicode(
        "", help="Name of the environment variable that holds the provider's key."
    ).tag(config=True)
    lock_model = Bool(
        False, help="Whether model, api_base and key_env can't be changed in the panel."
    ).tag(config=True)
    allowed_models = List(
        Unicode(), help="Names of models that may be chosen; empty allows all."
    ).tag(config=True)
    allowed_modes = List(
        Enum(MODES),
        default_value=list(MODES),
        help="Modes that may be chosen: 'chat' never runs anything, 'review' asks for every cell, "
        "'auto' asks for none.",
    ).tag(config=True)
    default_mode = Enum(MODES, "review", help="The mode of a new thread.").tag(config=True)
    default_privacy = Enum(
        PRIVACY_MODES,
        "standard",
        help="What a new thread lets out: 'schema' names, types, shapes and columns; 'standard' "
        "outputs of CaveLab's own runs as well, counts of what the agent looks at, values of what "
        "you name with '@'; 'full' also values and outputs of your cells.",
    ).tag(config=True)
    journal_dir = Unicode(
        "", help="Folder of the journal; empty for 'cave_lab' in Jupyter's data folder."
    ).tag(config=True)
    probe = Bool(
        True,
        help="Whether variables are read in the kernel, and runs checked there. Without it runs "
        "still work, and the model is not told of variables.",
    ).tag(config=True)
    max_runs = Integer(DEFAULT_LIMITS.runs_per_turn, min=1, help="Runs in one turn.").tag(
        config=True
    )
    max_tokens = Integer(DEFAULT_LIMITS.tokens_per_turn, min=1_000, help="Tokens in one turn.").tag(
        config=True
    )
    max_cost = Float(
        None,
        allow_none=True,
        min=0.001,
        help="US dollars in one turn, where the model's price is known; None sets no bound.",
    ).tag(config=True)
    max_seconds = Float(
        DEFAULT_LIMITS.seconds_per_turn,
        min=1.0,
        help="Seconds of work in one turn; your own thinking is not counted.",
    ).tag(config=True)
    max_thread_runs = Integer(
        None, allow_none=True, min=1, help="Runs in one thread; None sets no bound."
    ).tag(config=True)
    max_thread_tokens = Integer(
        None, allow_none=True, min=1_000, help="Tokens in one thread; None sets no bound."
    ).tag(config=True)
    max_thread_cost = Float(
        None,
        allow_none=True,
        min=0.001,
        help="US dollars in one thread, where prices are known; None sets no bound.",
    ).tag(config=True)
    max_thread_seconds = Float(
        None, allow_none=True, min=1.0, help="Seconds of work in one thread; None sets no bound."
    ).tag(config=True)
