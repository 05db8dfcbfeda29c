"""What a thread is, as a pure function of its events."""

from cave_lab.state.fold import fold, replay
from cave_lab.state.values import RunState, ThreadState, TurnState

__all__ = ["RunState", "ThreadState", "TurnState", "fold", "replay"]
