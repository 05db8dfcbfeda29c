import pytest

from cave_lab.errors import ModelKeyMissing, ModelUnreachable
from cave_lab.model.choice import NO_KEY, address_of, key_for, key_in, key_names, spoken
from cave_lab.model.port import ModelChoice


def test_variables_that_hold_keys_are_named_and_their_values_are_not():
    environ = {"OPENAI_API_KEY": "sk-1", "A_API_KEY": "x", "EMPTY_API_KEY": "", "HOME": "/"}
    assert key_names(environ) == ["A_API_KEY", "OPENAI_API_KEY"]


def test_a_key_is_read_from_the_variable_named():
    assert key_for(ModelChoice("m", key_env="K"), {"K": "secret"}) == "secret"


def test_the_end_of_a_line_behind_a_key_is_not_sent():
    assert key_for(ModelChoice("m", key_env="K"), {"K": " secret\r\n"}) == "secret"
    assert key_in("K", {"K": "secret\n"}) == "secret"


@pytest.mark.parametrize("environ", [{}, {"K": ""}, {"K": " \n"}])
def test_an_empty_variable_is_as_good_as_none(environ):
    with pytest.raises(ModelKeyMissing, match="variable K is not set .* or is empty"):
        key_for(ModelChoice("m", "http://127.0.0.1:1/v1", "K"), environ)


def test_a_variable_that_is_not_set_is_named_in_the_sentence():
    with pytest.raises(ModelKeyMissing, match="MY_KEY is not set"):
        key_for(ModelChoice("m", key_env="MY_KEY"), {})


def test_without_a_variable_the_provider_finds_its_own_but_another_address_gets_none():
    environ = {"OPENAI_API_KEY": "sk-1"}
    assert key_for(ModelChoice("gpt-4.1"), environ) is None
    assert key_for(ModelChoice("gpt-4.1", "http://127.0.0.1:1/v1"), environ) == NO_KEY


@pytest.mark.parametrize("base", [None, "", "http://127.0.0.1:8000/v1", "https://a.example"])
def test_an_address_of_the_web_is_taken(base):
    assert address_of(ModelChoice("m", base)) == (base or None)


@pytest.mark.parametrize("base", ["nonsense", "ftp://x", "http://", "http://[", "localhost:8000"])
def test_anything_else_is_refused_with_an_example(base):
    with pytest.raises(ModelUnreachable, match="http://localhost:8000/v1"):
        address_of(ModelChoice("m", base))


@pytest.mark.parametrize(
    "choice, environ, expected",
    [
        (ModelChoice("ollama/llama3:8b"), {}, "http://localhost:11434/v1"),
        (ModelChoice("ollama_chat/llama3:8b"), {}, "http://localhost:11434/v1"),
        (ModelChoice("ollama/llama3:8b", "http://gpu:11434/"), {}, "http://gpu:11434/v1"),
        (ModelChoice("ollama/llama3:8b", "https://gpu/ollama"), {}, "https://gpu/ollama"),
        (ModelChoice("ollama/llama3:8b"), {"OLLAMA_API_BASE": "http://b:1"}, "http://b:1/v1"),
        (ModelChoice("lemonade/llama3:8b"), {}, "http://localhost:8000/api/v1"),
    ],
)
def test_a_local_servers_model_is_spoken_to_in_the_openai_format(choice, environ, expected):
    assert spoken(choice, environ) == ModelChoice("openai/llama3:8b", expected)


def test_any_other_model_is_left_as_it_is():
    choice = ModelChoice("mistral/large", key_env="K")
    assert spoken(choice, {"OLLAMA_API_BASE": "http://b:1"}) is choice
