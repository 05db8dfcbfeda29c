from tests.fakes.strict import strict_refusal


def test_a_strict_model_names_each_null_and_each_field_it_does_not_know():
    body = {
        "model": "strict",
        "user": None,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "x", "cache": 1}]}],
        "tools": [{"type": "function", "function": {"parameters": {"default": None}}}],
    }
    refused = strict_refusal(body)
    assert refused is not None
    assert refused["error"]["message"].split("; ") == [
        "validation errors: body.user: none is not an allowed value",
        "body.tools.0.function.parameters.default: none is not an allowed value",
        "body.user: extra fields are not permitted",
        "content.cache: extra fields are not permitted",
    ]


def test_any_other_model_takes_what_it_is_given():
    assert strict_refusal({"model": "fake", "user": None}) is None
