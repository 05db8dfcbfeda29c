from tests.model.helpers import hasty, key, model, replies

__all__ = ["hasty", "key", "model", "replies"]
