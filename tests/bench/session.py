"""A talk of ten turns on one data frame, as data: what is asked, run and answered.

Each turn asks once, runs one cell and answers. An answer is given only if what it says stands in
the request: `needs` are patterns of `cave_lab.model.script` that must occur in it.
"""

from dataclasses import dataclass

FRAME = """\
import numpy as np
import pandas as pd
rng = np.random.default_rng(7)
n = 5_000
df = pd.DataFrame({
    "date": pd.date_range("2025-01-01", periods=n, freq="h"),
    "region": rng.choice(["North", "South", "East", "West"], n),
    "product": rng.choice(["tea", "coffee", "juice"], n),
    "units": rng.integers(1, 40, n),
    "price": rng.normal(12, 3, n).round(2),
})"""
"""The hour of computed state that a person has: here it takes milliseconds."""


@dataclass(frozen=True)
class Turn:
    """One message of the person's, the cell that it leads to, and the answer."""

    words: str
    code: str
    answer: str
    needs: tuple[str, ...]
    """What the answer says, as it must stand in the request."""


TURNS = (
    Turn(
        "How many rows does df have, and what time does it span?",
        "print(len(df), df['date'].min(), df['date'].max())",
        "5,000 rows, hourly from 1 January to 28 July 2025.",
        ("5000 2025-01-01 00:00:00 2025-07-28",),
    ),
    Turn(
        "Add a column revenue to df.",
        "df['revenue'] = df['units'] * df['price']\nprint(df['revenue'].describe())",
        "`df` has the column `revenue` now; its mean is about 240.",
        (r"re:mean\s+2\d\d\.",),
    ),
    Turn(
        "Revenue by month, kept as monthly.",
        "monthly = df.groupby(df['date'].dt.to_period('M'))['revenue'].sum()\nprint(monthly)",
        "`monthly` holds seven months; July is not complete.",
        ("2025-07",),
    ),
    Turn(
        "Which region sells most?",
        "by_region = df.groupby('region')['revenue'].sum().sort_values(ascending=False)\n"
        "print(by_region)",
        "The four regions are close together; `by_region` has them in order.",
        (r"re:(North|South|East|West)\s+\d+\.\d+",),
    ),
    Turn(
        "Show me the hundred best hours.",
        "best = df.nlargest(100, 'revenue')\nprint(best.to_string())",
        "`best` holds the hundred rows with the highest revenue.",
        (r"re:date\s+region\s+product\s+units\s+price\s+revenue",),
    ),
    Turn(
        "Print everything of January, please.",
        "january = df[df['date'].dt.month == 1]\nprint(january.to_string())",
        "January has 744 rows, in `january`.",
        (r"re:date\s+region\s+product\s+units\s+price\s+revenue",),
    ),
    Turn(
        "Is the price related to the units?",
        "correlation = df['price'].corr(df['units'])\nprint(round(correlation, 3))",
        "No: the correlation is about 0.",
        (r"re:-?0\.0\d+",),
    ),
    Turn(
        "Compare the products by mean price and units.",
        "products = df.groupby('product')[['price', 'units']].mean()\nprint(products)",
        "They hardly differ; `products` has the means.",
        (r"re:coffee\s+1[12]\.\d+",),
    ),
    Turn(
        "How much of the best hours is tea?",
        "share = (best['product'] == 'tea').mean()\nprint(share)",
        "About a third of `best` is tea.",
        (r"re:0\.\d+",),
    ),
    Turn(
        "Sum up: which of the results can I use on?",
        "print(type(monthly).__name__, len(monthly), type(products).__name__, len(products))",
        "`monthly` (a series of 7 months) and `products` (a frame of 3 rows), beside `by_region`, "
        "`best`, `january`, `correlation` and `share`.",
        ("Series 7 DataFrame 3", "by_region", "best", "january", "correlation", "share"),
    ),
)
