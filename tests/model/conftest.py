from tests.model.helpers import key, model, replies

__all__ = ["key", "model", "replies"]
