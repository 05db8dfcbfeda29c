"""The code of the tour: the sample notebook's cell, and the cells that the script writes.

The standard library and IPython only, so that a clean installation can run all of it.
"""

from __future__ import annotations

from textwrap import dedent


def _cell(source: str) -> str:
    return dedent(source).strip("\n")


SALES = _cell("""
    # Two years of a small shop: one entry per month and product.
    prices = {"cocoa": 7.25, "coffee": 12.5, "tea": 9.0}
    sales = [
        {
            "month": f"{year}-{month:02d}",
            "product": product,
            "price": price,
            "units": 40 + 12 * (year - 2024) + (7 * month * len(product)) % 23 + 3 * abs(month - 7),
        }
        for year in (2024, 2025)
        for month in range(1, 13)
        for product, price in prices.items()
    ]
    len(sales)
""")

REVENUE = _cell("""
    from collections import defaultdict

    revenue_by_month = defaultdict(float)
    for sale in sales:
        revenue_by_month[sale["month"]] += sale["units"] * sale["price"]

    best_month = max(revenue_by_month, key=revenue_by_month.get)
    print(
        f"{len(revenue_by_month)} months, {sum(revenue_by_month.values()):,.2f} in all; "
        f"the best is {best_month} with {revenue_by_month[best_month]:,.2f}."
    )
    dict(revenue_by_month)
""")

LINES_WRONG = _cell("""
    revenue_lines = {
        product: [sale["revenue"] for sale in sales if sale["product"] == product]
        for product in sorted({sale["product"] for sale in sales})
    }
    {product: round(sum(line), 2) for product, line in revenue_lines.items()}
""")

LINES = LINES_WRONG.replace('sale["revenue"]', 'sale["units"] * sale["price"]')

CHART = _cell('''
    from html import escape

    from IPython.display import SVG


    def line_chart(lines, labels, title, x_title, y_title):
        """Draw one line per name, with a dash pattern of its own, labelled at its end."""
        highest = max(max(line) for line in lines.values())

        def x(index):
            return 70 + 260 * index / (len(labels) - 1)

        def y(value):
            return 245 - 200 * value / highest

        def words(left, down, text, more="text-anchor='middle'"):
            return f"<text x='{left:.0f}' y='{down:.0f}' {more}>{escape(text)}</text>"

        parts = [
            words(200, 24, title, "text-anchor='middle' font-weight='bold'"),
            words(200, 290, x_title),
            words(-145, 18, y_title, "text-anchor='middle' transform='rotate(-90)'"),
        ]
        for value in (0, highest / 2, highest):
            parts.append(f"<path d='M70 {y(value):.0f}h260' stroke='#ccc'/>")
            parts.append(words(64, y(value) + 5, f"{value:,.0f}", "text-anchor='end'"))
        for index in range(0, len(labels), 12):
            parts.append(words(x(index), 268, labels[index]))
        styles = [("#1b5e9b", "none"), ("#a33c00", "7 3"), ("#1f6b3a", "2 3")]
        for (name, line), (colour, dashes) in zip(lines.items(), styles):
            points = " ".join(f"{x(i):.0f},{y(v):.1f}" for i, v in enumerate(line))
            parts.append(
                f"<polyline points='{points}' fill='none' stroke='{colour}' "
                f"stroke-width='2' stroke-dasharray='{dashes}'/>"
            )
            parts.append(words(336, y(line[-1]) + 5, name, f"fill='{colour}'"))
        return SVG(
            "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300' role='img'>"
            f"<title>{escape(title)}</title><rect width='400' height='300' fill='#fff'/>"
            f"<g font-family='sans-serif' font-size='16' fill='#222'>{''.join(parts)}</g></svg>"
        )


    months = sorted({sale["month"] for sale in sales})
    line_chart(revenue_lines, months, "Revenue by product", "Month", "Revenue")
''')

COUNT = _cell("""
    import time

    for second in range(1, 61):
        print(second, flush=True)
        time.sleep(1)
""")
