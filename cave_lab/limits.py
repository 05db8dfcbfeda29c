"""Every size, rate and time limit of CaveLab, with its reason."""

from __future__ import annotations

from dataclasses import dataclass

KB = 1_000
KIB = 1_024
MIB = KIB * KIB


@dataclass(frozen=True)
class Limits:
    """The limits in force on one server; sizes in bytes, times in seconds unless named."""

    # ── the wire
    frame_bytes: int = 1 * MIB
    """An incoming frame: an outline of 256 kB and a long message fit with room to spare."""
    frame_read_bytes: int = 4 * MIB
    """A frame that is too big is read up to here, so that its sender can be told so by 1009; a
    larger one is cut off in the middle."""
    request_bytes: int = 64 * KIB
    """The body of a request over REST: settings, and names."""
    outline_bytes: int = 256 * KB
    """What a browser may send of its notebook, however large that is."""
    message_chars: int = 200_000
    """One message of the person: a pasted log fits, a file does not."""
    send_queue_bytes: int = 8 * MIB
    """What may wait for one slow reader before it is closed with 4001 and resumes."""
    bad_frames: int = 50
    bad_frames_seconds: float = 10.0
    """So many refused frames in so long are abuse, not a bug: close 1008."""
    commands_per_second: float = 200.0
    """Far above a person's hands and a reconciler's acknowledgements."""
    ping_seconds: float = 20.0
    """Below the shortest idle time of common proxies (30 s)."""
    blob_inline_bytes: int = 64 * KB
    """Larger outputs travel as blob references."""

    # ── the journal
    batch_seconds: float = 0.03
    """Deltas are committed together this often: under what the eye can see."""
    busy_seconds: float = 10.0
    """How long SQLite waits for another process's lock."""
    claim_beat_seconds: float = 5.0
    claim_stale_seconds: float = 30.0
    """A server that missed six beats on another host is taken for dead."""
    blob_bytes: int = 32 * MIB
    """One stored output or image; above it only a sentence is kept."""
    commit_jobs: int = 256
    """Appends that share one commit: enough to hide the disk, few enough to be quick."""
    journal_readers: int = 2
    """Threads that read: one long replay leaves room for another reader."""
    journal_page_events: int = 500
    journal_page_bytes: int = 1 * MIB
    """One page of a replay: what a thread decodes before the loop may send."""
    journal_wal_bytes: int = 16 * MIB
    """What is kept of the write-ahead log after a large output went through it."""
    journal_check_bytes: int = 64 * MIB
    """Read through at every start, in about 0.1 s; a larger file only after damage was met."""
    threads_listed: int = 200
    """Threads of one list: more than a person scrolls through."""

    # ── the kernel
    kernel_ready_seconds: float = 60.0
    """A cold conda environment on a network disk takes half a minute."""
    first_free_seconds: float = 0.5
    """A kernel that is not free within so long of its first answer runs a cell of the person's."""
    probe_seconds: float = 2.0
    """How long we wait for variables before we say they are unknown."""
    probe_budget_ms: int = 40
    """What one look may take of the kernel's time."""
    hook_budget_ms: int = 30
    """What change detection may add after a cell."""
    variable_rows: int = 500
    """Variables described in detail; the rest are counted by type."""
    variable_columns: int = 50
    looked_chars: int = 4_000
    """What a look tells of one variable: about 1,000 tokens."""
    look_reach_chars: int = 8_000
    """Looked at beside that, so that a secret across a cut is known: private keys have 7,000."""
    idle_grace_seconds: float = 2.0
    """The reply is the authority; idle may be lost under a flood."""
    idle_backlog_seconds: float = 60.0
    """Idle may lie behind a backlog of output; so long it may take us to read that."""
    interrupt_repeat_seconds: float = 2.0
    interrupt_ask_seconds: float = 10.0
    """Code that swallows the interrupt: try again, then ask the person."""
    prompt_chars: int = 4_000
    """Of what a cell asks for: more than anybody reads before they answer."""
    prompt_seconds: float = 0.25
    """How long the outputs before a question are waited for; a kernel may not answer meanwhile."""
    interrupt_settle_seconds: float = 1.0
    """An unguarded cell is not interrupted sooner after its start: R itself ended by that."""
    nudge_seconds: float = 0.05
    """After an interrupt: a waiting `await` notices it only when a message wakes its loop."""
    stdin_seconds: float = 2.0
    """A new kernel's stdin is there 0.1 s after the rest; one that has none is used without."""
    control_seconds: float = 1.0
    """Control silent for so long: compiled code holds the interpreter."""
    heartbeat_seconds: float = 1.0
    far_look_seconds: float = 10.0
    """Between two looks whether a kernel on another machine is alive: each is a request."""
    reconnect_seconds: float = 0.1
    """Between two looks for the process that a restart puts in the old one's place."""
    iopub_backlog: int = 10_000
    """Messages that may wait for our loop; the default of 1,000 lost output and idle statuses."""
    shell_message_bytes: int = 2 * MIB
    """Decoding a message of 95 MB blocked the loop for 1.8 s: longer ones are cut undecoded."""
    gateway_message_bytes: int = 128 * MIB
    """One message through a gateway, which is not cut on its way: a larger one ends the connection.
    The 10 MiB of Jupyter's own would end it at a picture that is still kept."""

    # ── outputs
    output_merge_seconds: float = 0.08
    """200 updates a second took 81% of the browser's main thread, merged over 100 ms 16%."""
    stream_bytes: int = 200 * KB
    """Kept of one run's stream in the cell, half head and half tail."""
    run_output_bytes: int = 10 * MIB
    """Kept of all outputs of one run, figures too."""
    run_outputs: int = 200
    """Output items of one run."""
    traceback_lines: int = 200
    traceback_chars: int = 60_000
    """Of a traceback: a frame may hold a line of data as long as the data."""
    error_chars: int = 2_000
    """Of an exception's own message, half head and half tail."""
    output_merge_growth_bytes: int = 32 * KB
    """Each so many bytes told of a run lengthen the pause between two tellings by the first one."""
    output_merge_max_seconds: float = 2.0
    """However much there is, the person sees that it goes on."""
    late_runs: int = 200
    """Ended runs whose outputs can still be updated, as a progress bar of an older cell is."""

    # ── the model
    result_chars: int = 1_500
    """What the model is given of one run, half head and half tail: 20 lines, about 400 tokens of
    words and 750 of numbers. It may look into the rest, which costs once; what it is given it is
    given again with each later call."""
    past_result_chars: int = 300
    """What is left of a longer one when its turn has ended: enough to know it again."""
    looks_chars: int = 24_000
    """What one look tells of all its names: four pages, or six variables at their longest."""
    looks_share: float = 0.8
    """Characters of a look for each token of the model's window: of numbers a third of it."""
    mentioned_chars: int = 24_000
    """The same of what a message names with `@`."""
    mentioned_share: float = 1 / 3
    """Less of a small window: it is part of the question, which is never left out."""
    beside_page_chars: int = 300
    """What is said beside a page: its name, its number, that more was cut."""
    page_chars: int = 6_000
    """One page of an output that the model looks into: it asked for it."""
    image_bytes: int = 300 * KB
    image_pixels: int = 2_048
    """The longer side of a figure that is sent: common ones have 1,200 to 1,600 pixels. Providers
    scale larger ones down themselves, so what counts is the size in bytes."""
    images_newest: int = 2
    images_of_turn: int = 6
    """Figures of the running turn that the model is given, if it sees. At one more, all but the
    newest become lines again: to take one away with each new figure would each time end what
    providers cached of the messages, and the reasoning that was signed over them."""
    idle_model_seconds: float = 120.0
    """No content for so long ends the call; keep-alives don't count."""
    total_model_seconds: float = 900.0
    model_retries: int = 3
    retry_first_seconds: float = 1.0
    """The first wait; each next one is twice as long."""
    retry_after_max_seconds: float = 60.0
    model_variables: int = 40
    """About 22 tokens each, so under 1,000 in all."""
    model_variables_chars: int = 4_000
    """The table of variables, a wide data frame included: about 1,000 tokens."""
    outline_chars: int = 12_000
    """The window of cells around the anchor that the model is given."""
    unknown_window: int = 8_192
    """Tokens of one call where nobody knows the model's window: what small local servers have."""
    least_window: int = 2_048
    """No model in use takes less; a shorter call that is refused as too long has another fault."""
    window_share: float = 0.75
    """Of the window; a talk that is longer is compacted before the next call."""
    answer_tokens: int = 2_048
    """Kept free in the window for the answer: a cell and some words."""
    compacted_share: float = 2 / 3
    """Of the length at which a talk is compacted: down to here, or each call would do it again."""
    whole_results: int = 6
    """Results that stay whole when older ones become a line: about what one request works with."""
    summary_tokens: int = 1_000
    """A summary of the talk: two pages of notes, names of variables instead of their numbers."""
    summary_failures: int = 3
    """Summaries that failed in a row, after which a thread is shortened without."""
    provider_words_chars: int = 400
    """What is shown of a provider's own error."""
    purpose_chars: int = 200
    """The one sentence above a cell; a model that writes more is cut."""
    check_seconds: float = 30.0
    """What *Test* waits for a word: a local server may have to load its model first."""
    tour_tokens_per_second: float = 40.0
    """The pace of a swift reader."""
    local_answer_seconds: float = 0.3
    """What a server on this machine has to say who it is: a person waits for the slowest."""
    local_answer_bytes: int = 1 * MIB
    """Of one such answer: 1,000 models, or all that Ollama tells of one, with its licence."""
    local_models: int = 200
    """Models of one server that are offered: more than a person scrolls through."""
    local_name_chars: int = 200
    """A model's name is at times the path of its file; a longer one is not offered."""

    # ── a turn
    runs_per_turn: int = 12
    tokens_per_turn: int = 400_000
    seconds_per_turn: float = 3_600.0
    """Time of the model and of runs; waiting for the person is not counted."""
    refused_actions_per_turn: int = 3
    """Unusable actions in a row before the turn ends."""
    broken_calls_until_fences: int = 2
    """Unreadable calls of the tool in a row after which a model is asked for fenced blocks."""
    looked_names: int = 20
    """Names of one look: more is a table of variables, which every message has already."""
    looks_in_a_row: int = 6
    """Looks without a cell or an answer in between, after which the model is told to go on."""
    continuations_per_answer: int = 3
    """How often an answer that reached the model's limit goes on by itself."""
    queued_messages: int = 20
    waiting_drafts: int = 2_000
    """Events that may wait for the disk before those who make them have to wait too."""
    lost_names: int = 50
    """Names of lost variables that are kept for the person; the rest are counted."""
    title_chars: int = 60
    """A title fits one line of the panel at its usual width."""
    remembered_replies: int = 2_000
    """Replies kept for commands that are sent again after a lost connection."""
    idle_thread_seconds: float = 900.0
    """Nobody looks at a thread and nothing runs in it for so long: its memory is given back."""


DEFAULT_LIMITS = Limits()
