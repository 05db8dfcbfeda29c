"""What is counted: to the token where a provider says it, estimated where it does not."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.port import ModelChoice, ModelRequest, SystemMessage, UsageChunk, UserMessage
from cave_lab.model.replies import ModelReplies
from cave_lab.model.script import Cell, Fault, Gate, Say, ScriptedTurn, Think, Tokens, When
from cave_lab.protocol.content import Usage
from cave_lab.state.values import TurnState
from tests.fakes.model_server import ModelServer
from tests.lab import KEY
from tests.server.scenarios import asked, begun, told_whole
from tests.server.test_settings import put
from tests.talk import Lab, Person
from tests.waiting import until

KNOWN = pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"model": "openai/gpt-4o"}}], ids=["a known model"]
)
PLAIN = pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"model": "openai/plain"}}], ids=["no tools"]
)


def turn(
    words: str, *answer: Any, role: Any = "user", usage: Tokens | None = None, **more: Any
) -> ScriptedTurn:
    """An answer with this usage, or with none reported."""
    when = When(last=(words,), role=role)
    return ScriptedTurn(words, when, answer, usage=usage, **more)


def price(used: Tokens) -> float:
    """Of the known model, in dollars."""
    fresh = used.prompt - used.cached
    return fresh * 2.5e-06 + used.cached * 1.25e-06 + used.completion * 1e-05


def reports(person: Person) -> int:
    """How often usage was told."""
    return sum(frame["type"] == "usage.reported" for frame in person.talk.frames)


def by_call(turn: TurnState) -> list[Usage]:
    """The usage of each call; fails if one has none."""
    used = [call.usage for call in turn.calls]
    assert None not in used
    return [usage for usage in used if usage is not None]


# ── reported


@KNOWN
async def test_what_a_provider_reports_is_counted_to_the_token_by_call_turn_and_thread(
    lab: Lab, model: ModelServer
) -> None:
    first, second, third = Tokens(1_234, 56, 1_024), Tokens(1_357, 78, 1_152), Tokens(2_001, 9)
    person = await begun(
        lab,
        model,
        turn("please", Cell("x = 1"), usage=first),
        turn("Finished", Say("Done."), role="tool", usage=second),
        turn("again", Say("Well."), usage=third),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    await person.say("again")
    assert await person.ended(2) == "end_turn"
    state = await told_whole(lab, person)
    calls = [usage for turn in state.turns for usage in by_call(turn)]
    for used, told in zip(calls, (first, second, third), strict=True):
        assert (used.prompt, used.completion, used.cached) == (
            told.prompt,
            told.completion,
            told.cached,
        )
        assert used.cost == pytest.approx(price(told), rel=1e-9)
        assert used.seconds > 0
    for total, parts in (
        (state.turns[0].usage, [first, second]),
        (state.turns[1].usage, [third]),
        (state.usage, [first, second, third]),
    ):
        assert total.calls == len(parts)
        assert total.prompt == sum(told.prompt for told in parts)
        assert total.completion == sum(told.completion for told in parts)
        assert total.cached == sum(told.cached for told in parts)
        assert total.cost == pytest.approx(sum(map(price, parts)), rel=1e-9)
        assert (total.price_source, total.unpriced) == ("litellm's table", 0)
        assert not total.estimated
    assert (state.usage.runs, state.turns[1].usage.runs) == (1, 0)


async def test_a_model_of_unknown_price_counts_as_unpriced_beside_one_with_a_price(
    lab: Lab, model: ModelServer
) -> None:
    used = Tokens(100, 20)
    person = await begun(lab, model, turn("please", Say("Yes."), usage=used))
    await person.say("please")
    assert await person.ended() == "end_turn"
    usage = person.state.usage
    assert (usage.cost, usage.price_source, usage.unpriced) == (None, None, 1)
    await put(lab, model="openai/gpt-4o", api_base=model.url, key_env=KEY)
    await person.say("please")
    assert await person.ended(2) == "end_turn"
    usage = (await told_whole(lab, person)).usage
    assert usage.cost == pytest.approx(price(used), rel=1e-9)
    assert (usage.price_source, usage.unpriced, usage.calls) == ("litellm's table", 1, 2)


# ── estimated


@KNOWN
async def test_a_provider_that_reports_nothing_is_estimated_and_priced(
    lab: Lab, model: ModelServer
) -> None:
    words = "The mean of the column is twelve, and its spread is small. " * 20
    person = await begun(lab, model, turn("please", Think("I wonder. " * 20), Say(words)))
    await person.say("please")
    assert await person.ended() == "end_turn"
    [used] = by_call((await told_whole(lab, person)).turns[0])
    assert used.estimated
    assert used.completion == pytest.approx(20 * 14 + 20 * 3, rel=0.1)
    given = json.dumps(model.requests[0].body)
    assert len(given) / 8 < used.prompt < len(given) / 2
    assert used.cost == pytest.approx(price(Tokens(used.prompt, used.completion)), rel=1e-9)
    assert (person.state.usage.estimated, person.state.turns[0].usage.estimated) == (True, True)


async def test_one_estimated_call_marks_the_sum_and_not_the_other_call(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        turn("please", Cell("x = 1"), usage=Tokens(100, 20)),
        turn("Finished", Say("Done."), role="tool"),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    first, second = by_call(state.turns[0])
    assert (first.estimated, second.estimated, state.usage.estimated) == (False, True, True)
    assert state.usage.prompt == 100 + second.prompt


async def test_a_call_stopped_in_the_middle_is_estimated_by_what_had_come(
    lab: Lab, model: ModelServer
) -> None:
    words = "one two three four five six seven eight nine ten. " * 10
    person = await begun(lab, model, asked("please", Say(words), Gate("never"), Say(words)))
    await person.say("please")
    await until(lambda: model.requests, "the request", seconds=60)
    await until(lambda: model.requests[0].when("gate"), "the answer waiting")
    await until(lambda: len(said(person)) == len(words), "all that came")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    [used] = by_call((await told_whole(lab, person)).turns[0])
    assert used.estimated
    assert used.completion == pytest.approx(110, rel=0.1)
    assert used.prompt > 100


def said(person: Person) -> str:
    """The words that have come so far."""
    return "".join(f["text"] for f in person.talk.frames if f["type"] == "text.delta")


@PLAIN
async def test_a_call_that_ended_with_its_block_is_estimated(lab: Lab, model: ModelServer) -> None:
    code = "\n".join(f"value_{n} = {n}" for n in range(40))
    person = await begun(
        lab,
        model,
        turn("please", Cell(code, "Set values"), Gate("never"), usage=Tokens(1, 1)),
        turn("Finished", Say("Done."), role="tool", usage=Tokens(500, 5)),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    first, second = by_call((await told_whole(lab, person)).turns[0])
    assert (first.estimated, second.estimated) == (True, False)
    assert first.completion == pytest.approx(40 * 6, rel=0.2)
    assert (second.prompt, second.completion) == (500, 5)


@pytest.mark.parametrize("kind", ["reset", "eof", "error_event", "no_finish"])
async def test_a_call_that_broke_off_is_estimated(lab: Lab, model: ModelServer, kind: Any) -> None:
    words = "one two three four five six seven eight nine ten. " * 4
    person = await begun(lab, model, turn("please", Say(words), fault=Fault(kind)))
    await person.say("please")
    assert await person.ended() == "model_error"
    [used] = by_call((await told_whole(lab, person)).turns[0])
    assert used.estimated
    assert used.completion == pytest.approx(44, rel=0.15)


# ── not counted

NOT_CHARGED = ["key_missing", "billing", "forbidden", "not_found", "quota", "bad_request", "policy"]


@pytest.mark.parametrize("kind", NOT_CHARGED)
async def test_a_call_that_was_refused_counts_nothing(
    lab: Lab, model: ModelServer, kind: Any
) -> None:
    person = await begun(lab, model, ScriptedTurn("refused", fault=Fault(kind)))
    await person.say("please")
    assert await person.ended() in ("model_error", "refusal")
    state = await told_whole(lab, person)
    assert reports(person) == 0
    assert state.usage.model_copy(update={"seconds": 0.0}) == Usage()


async def test_a_connection_that_was_refused_counts_nothing(lab: Lab) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    await put(lab, model="openai/gpt-4o", api_base=f"http://127.0.0.1:{port}/v1", key_env=KEY)
    person = await Person.at(lab, {})
    await person.say("please")
    assert await person.ended() == "model_error"
    assert reports(person) == 0
    assert person.state.usage.calls == 0


async def test_a_call_that_was_tried_again_counts_once(lab: Lab, model: ModelServer) -> None:
    limited = ScriptedTurn("limited", fault=Fault("rate_limited"), times=1)
    answered = turn("please", Say("Yes."), usage=Tokens(100, 20))
    person = await begun(lab, model, limited, answered)
    await person.say("please")
    assert await person.ended() == "end_turn"
    usage = (await told_whole(lab, person)).usage
    assert (usage.calls, usage.prompt, usage.completion) == (1, 100, 20)
    assert not usage.estimated


async def test_a_stop_while_a_refused_call_waits_to_be_tried_again_counts_nothing(
    lab: Lab, model: ModelServer
) -> None:
    limited = ScriptedTurn("limited", fault=Fault("rate_limited", retry_after="50"))
    person = await begun(lab, model, limited)
    await person.say("please")
    await person.talk.event("model.retrying")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    assert reports(person) == 0
    assert (await told_whole(lab, person)).usage.calls == 0


async def test_a_call_stopped_before_it_had_an_answer_is_counted_as_sent(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, ScriptedTurn("hang", fault=Fault("hang")))
    await person.say("please")
    await until(lambda: model.requests, "the request", seconds=60)
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    [used] = by_call((await told_whole(lab, person)).turns[0])
    assert (used.estimated, used.completion) == (True, 0)
    assert used.prompt > 100


async def test_an_empty_answer_that_was_reported_is_counted(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model, turn("please", usage=Tokens(700, 3)))
    await person.say("please")
    assert await person.ended() == "model_error"
    usage = (await told_whole(lab, person)).usage
    assert (usage.calls, usage.prompt, usage.completion) == (1, 700, 3)


async def test_the_guided_tour_uses_nothing(lab: Lab) -> None:
    domain = await lab.domain()
    tour = json.loads((await lab.fetch("cave-lab/status")).body)["tour_model"]
    request = ModelRequest(ModelChoice(tour), (SystemMessage("x"), UserMessage("hello")))
    assert await domain.replies.estimate(request, "many words") == UsageChunk(0, 0, cost=0.0)


# ── how good an estimate is

ENGLISH = (
    "The revenue of the third quarter fell by four percent, mostly because two large customers "
    "moved their orders to October. Without them it would have risen a little. "
) * 12
CODE = Path(__file__).read_text(encoding="utf-8")[:6_000]
CHINESE = (
    "第三季度的收入下降了百分之四，主要是因为两个大客户把订单推迟到了十月。"  # noqa: RUF001
    "如果不算这两个客户，收入会略有增长。请检查数据并告诉我原因。"  # noqa: RUF001
) * 12
FACTORS = {"English": (ENGLISH, 1.1), "code": (CODE, 1.25), "Chinese": (CHINESE, 2.0)}
"""How far an estimate may be from the real count, by the kind of text."""


def real_counts(text: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """What the tokenizers of three providers make of a text; their tables come with litellm."""
    import litellm
    import tiktoken
    from tokenizers import Tokenizer

    folder = Path(litellm.__file__).parent / "litellm_core_utils" / "tokenizers"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))

    def of_file(name: str) -> int:
        tokenizer = Tokenizer.from_file(str(folder / name))
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return {
        "OpenAI": len(tiktoken.get_encoding("o200k_base").encode(text)),
        "Anthropic": of_file("anthropic_tokenizer.json"),
        "DeepSeek": of_file("deepseek_tokenizer.json"),
    }


@pytest.mark.parametrize("kind", FACTORS)
async def test_an_estimate_is_within_its_factor_of_what_real_tokenizers_count(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, factor = FACTORS[kind]
    replies = ModelReplies(DEFAULT_LIMITS)
    await replies.prepare()
    request = ModelRequest(
        ModelChoice("openai/unheard-of", "http://127.0.0.1:9"),
        (SystemMessage("Be brief."), UserMessage(text)),
        format="fences",
    )
    used = await replies.estimate(request, text)
    await replies.close()
    assert used is not None
    assert used.estimated
    for name, count in real_counts(text, monkeypatch).items():
        assert count / factor < used.completion < count * factor, name
        assert count / factor < used.prompt < (count + 20) * factor, name
