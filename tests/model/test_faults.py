from datetime import UTC, datetime

import pytest

from cave_lab.errors import (
    ContextTooLong,
    EmptyResponse,
    ModelBadRequest,
    ModelDropped,
    ModelError,
    ModelKeyMissing,
    ModelKeyRejected,
    ModelNotFound,
    ModelQuota,
    ModelRateLimited,
    ModelRefused,
    ModelServerFault,
    ModelTimeout,
    ModelUnreachable,
    ToolsUnsupported,
)
from cave_lab.model.faults import Trouble, classify, seconds_asked, trouble_in
from cave_lab.privacy.redact import Redactor

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def told(trouble: Trouble, environ: dict[str, str] | None = None, limit: int = 400) -> ModelError:
    return classify(trouble, Redactor(environ or {}), limit)


@pytest.mark.parametrize(
    "trouble, expected",
    [
        (Trouble(status=401), ModelKeyRejected),
        (Trouble(status=402), ModelQuota),
        (Trouble(status=403), ModelKeyRejected),
        (Trouble(status=404), ModelNotFound),
        (Trouble(status=408), ModelTimeout),
        (Trouble(status=413), ContextTooLong),
        (Trouble(status=422), ModelBadRequest),
        (Trouble(status=429), ModelRateLimited),
        (Trouble(status=500), ModelServerFault),
        (Trouble(status=529), ModelServerFault),
        (Trouble(), ModelError),
    ],
)
def test_without_words_or_codes_the_status_decides(trouble, expected):
    assert type(told(trouble)) is expected


@pytest.mark.parametrize(
    "trouble, expected",
    [
        (Trouble(status=429, code="insufficient_quota"), ModelQuota),
        (Trouble(status=429, type="insufficient_quota"), ModelQuota),
        (Trouble(status=400, code="context_length_exceeded"), ContextTooLong),
        (Trouble(status=400, code="content_filter"), ModelRefused),
        (Trouble(status=400, type="authentication_error"), ModelKeyRejected),
        (Trouble(status=200, type="overloaded_error"), ModelServerFault),
        (Trouble(status=400, code="402"), ModelQuota),
        (Trouble(type="server_error"), ModelServerFault),
    ],
)
def test_a_code_of_the_provider_beats_the_status(trouble, expected):
    assert type(told(trouble)) is expected


@pytest.mark.parametrize(
    "status, words, expected",
    [
        (400, "This model's maximum context length is 8192 tokens.", ContextTooLong),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", ContextTooLong),
        (500, "the request exceeds the available context size", ContextTooLong),
        (400, "registry/tiny does not support tools", ToolsUnsupported),
        (400, "input length and `max_tokens` exceed context limit: 9 + 2 > 8", ContextTooLong),
        (400, "The input token count exceeds the maximum number of tokens.", ContextTooLong),
        (404, "No endpoints found that support tool use.", ToolsUnsupported),
        (400, "`tool calling` is not supported with this model", ToolsUnsupported),
        (400, "Function calling is not enabled for models/gemma", ToolsUnsupported),
        (500, "tools param requires --jinja flag", ToolsUnsupported),
        (400, '"auto" tool choice requires --enable-auto-tool-choice', ToolsUnsupported),
        (400, "Your credit balance is too low to access the API.", ModelQuota),
        (400, "API key not valid. Please pass a valid API key.", ModelKeyRejected),
        (None, "Missing Gemini API key. Set the GEMINI_API_KEY variable.", ModelKeyMissing),
        (None, "FIREWORKS_API_KEY is not set", ModelKeyMissing),
        (401, "Set MARITALK_API_KEY or pass api_key", ModelKeyMissing),
        (401, "Missing X Key - no key is set either in the environment", ModelKeyMissing),
        (None, "Missing credentials. Please pass one of `api_key`", ModelKeyMissing),
        (401, "Invalid Authentication - Unable to locate credentials", ModelKeyMissing),
        (401, "Missing API key", ModelKeyRejected),
        (400, "triggering Azure OpenAI's content management policy", ModelRefused),
        (400, "model 'llama9' not found, try pulling it first", ModelNotFound),
        (429, "You exceeded your quota, check billing. Please retry in 25s.", ModelRateLimited),
        (429, "You exceeded your quota, check billing.", ModelQuota),
        (400, "temperature must be below 2", ModelBadRequest),
    ],
)
def test_words_beat_the_status(status, words, expected):
    assert type(told(Trouble(words, status))) is expected


@pytest.mark.parametrize(
    "words",
    [
        "OPENAI_API_KEY is not set on the server",
        "Missing Anthropic API Key - no key is set either in",
    ],
)
def test_a_gateway_that_lacks_a_key_of_its_own_was_sent_the_call(words):
    assert type(told(Trouble(words, 401, answered=True))) is ModelKeyRejected


@pytest.mark.parametrize(
    "broken, expected",
    [
        ("unreachable", ModelUnreachable),
        ("dropped", ModelDropped),
        ("timeout", ModelTimeout),
        ("garbage", EmptyResponse),
    ],
)
def test_a_broken_connection_has_an_error_of_its_own(broken, expected):
    assert type(told(Trouble(broken=broken, status=500))) is expected


def test_the_providers_words_are_redacted_bounded_and_on_one_line():
    words = (
        "bad key \x1b[31msk-canary-1234567890abcdef\x1b[0m\nat http://me:hunter2@host/v1 "
        "Authorization: Bearer abcdefghijkl and my-own-value " + "x" * 500
    )
    error = told(Trouble(words, 401), {"OTHER_API_KEY": "my-own-value"}, limit=200)
    assert error.detail is not None
    assert len(error.detail) == 200
    assert error.detail.endswith("…")
    for secret in ("sk-canary", "hunter2", "abcdefghijkl", "my-own-value", "\x1b", "\n"):
        assert secret not in error.detail
    assert str(error) == ModelKeyRejected.default


@pytest.mark.parametrize(
    "header, seconds",
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30.0),
        ("soon", None),
        ("Sun, 99 Mar 2026 12:00:30 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header, seconds):
    assert seconds_asked(header, NOW) == seconds


class Sent(Exception):
    """An exception as a client library makes it of an answer."""

    def __init__(self, status: int, body: object = None, headers: dict | None = None) -> None:
        super().__init__(f"litellm.SomeError: OpenAIException - status {status}")
        self.status_code = status
        self.body = body
        self.message = str(self)
        self.headers = self.response = None
        if headers is not None:
            self.headers = headers
            self.response = Response(status, headers)


class Response:
    def __init__(self, status: int, headers: dict) -> None:
        self.status_code, self.headers = status, headers


def raised(outer: Exception, *causes: Exception) -> Exception:
    error = outer
    for cause in causes:
        error.__cause__ = cause
        error = cause
    return outer


def test_the_deepest_exception_of_a_chain_knows_best():
    outer = Sent(500)
    inner = Sent(429, {"error": {"message": "slow down", "code": 17}}, {"retry-after": "3"})
    assert trouble_in(raised(outer, inner)) == Trouble(
        message="slow down", status=429, code="17", retry_after=3.0, answered=True
    )


def test_a_body_may_stand_in_the_message_as_json():
    error = Sent(400)
    error.message = 'AnthropicException - {"type":"error","error":{"type":"x","message":"no"}}'
    assert trouble_in(error) == Trouble(message="no", status=400, type="x")


def test_a_status_without_an_answer_is_made_up():
    refused = type("ConnectError", (Exception,), {})("nobody there")
    assert trouble_in(raised(Sent(500), refused)) == Trouble(
        message="nobody there", broken="unreachable"
    )


def test_the_librarys_own_prefix_is_taken_off_the_words():
    assert trouble_in(Sent(422)).message == "status 422"


def test_a_chain_that_bites_its_tail_ends():
    error = Sent(400)
    error.__cause__ = Sent(401)
    error.__cause__.__context__ = error
    assert trouble_in(error).status == 401
