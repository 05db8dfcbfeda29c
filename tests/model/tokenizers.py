"""The tokenizers of three providers, whose tables come with litellm, and texts to count."""

import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

Count = Callable[[str], int]

ENGLISH = (
    "The revenue of the third quarter fell by four percent, mostly because two large customers "
    "moved their orders to October. Without them it would have risen a little. "
)
CHINESE = (
    "第三季度的收入下降了百分之四，主要是因为两个大客户把订单推迟到了十月。"  # noqa: RUF001
    "如果不算这两个客户，收入会略有增长。请检查数据并告诉我原因。"  # noqa: RUF001
)
JAPANESE = (
    "第三四半期の売上高は四パーセント減少しました。主な理由は、二つの大口顧客が注文を"
    "十月に延期したためです。データを確認して、原因を教えてください。"
)
KOREAN = (
    "3분기 매출은 4퍼센트 감소했는데, 주로 두 대형 고객이 주문을 10월로 연기했기 때문입니다. "
    "데이터를 확인하고 원인을 알려 주세요. "
)


def table(rows: int, seed: int) -> str:
    """A frame as it is printed."""
    numbers = np.random.default_rng(seed).normal(size=(rows, 6)) * 1_000
    names = ["revenue", "cost", "units", "price", "margin", "share"]
    return str(pd.DataFrame(numbers, columns=names).to_string())


def folder() -> Path:
    """Where litellm has its tables."""
    package = find_spec("litellm")
    folders = list((package and package.submodule_search_locations) or ())
    return Path(folders[0]) / "litellm_core_utils" / "tokenizers"


@cache
def counters() -> dict[str, Count]:
    """What the tokenizers of three providers make of a text."""
    import tiktoken
    from tokenizers import Tokenizer

    def of_file(name: str) -> Count:
        tokenizer = Tokenizer.from_file(str(folder() / name))
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)

    with mock.patch.dict(os.environ, {"TIKTOKEN_CACHE_DIR": str(folder())}):
        openai, older = (
            tiktoken.get_encoding("o200k_base"),
            tiktoken.get_encoding("cl100k_base"),
        )
    return {
        "OpenAI": lambda text: len(openai.encode(text)),
        "an older OpenAI": lambda text: len(older.encode(text)),
        "Anthropic": of_file("anthropic_tokenizer.json"),
        "DeepSeek": of_file("deepseek_tokenizer.json"),
    }
