from tests.model.helpers import hasty, hasty_replies, key, model, replies

__all__ = ["hasty", "hasty_replies", "key", "model", "replies"]
