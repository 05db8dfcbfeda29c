import { asked, cell, say, told } from '../support/script';
import { expect, test } from '../support/test';

const MAKE_DF = `import pandas as pd

df = pd.DataFrame(
    {
        "date": pd.date_range("2026-01-01", periods=90, freq="D"),
        "region": ["north", "south", "west"] * 30,
        "revenue": [float(day) for day in range(90)],
    }
)`;

/** What the model must be told of \`df\`: its name, type, shape, and columns with dtypes. */
const TOLD_OF_DF =
  're:df: DataFrame 90×3 \\[date datetime64\\[\\w+\\], region \\w+, revenue float64\\]';

const PURPOSE = 'Revenue by month, as a table and a plot';

const BY_MONTH = [
  '%matplotlib inline',
  'monthly = df.groupby(df["date"].dt.month)["revenue"].sum()',
  'for month, revenue in monthly.items():',
  '    print(f"month {month}: {revenue:.0f}", flush=True)',
  'ax = monthly.plot(kind="bar")'
];

test("the agent's first cell uses the variable that the person's cell made", async ({
  lab,
  model
}) => {
  await model.play(
    asked(
      [TOLD_OF_DF, 'revenue by month'],
      say('I use the `df` that is there.'),
      cell(PURPOSE, ...BY_MONTH)
    ),
    told('month 3: 2294', say('March has the **highest** revenue: 2294.'))
  );
  await lab.begin(MAKE_DF, '# notes');
  await lab.document.goTo(0);
  await lab.panel.composer.click();
  await lab.panel.say('continue from df: revenue by month, and plot it');
  await lab.panel.proposed(PURPOSE);
  await lab.page.screenshot({ path: 'screenshots/proposed.png' });
  await lab.page.keyboard.press('ControlOrMeta+Enter');
  await lab.panel.stands(PURPOSE, 'done');
  await lab.journal.turnsEnded('end_turn');

  const card = lab.panel.card(PURPOSE);
  await expect(card).toContainText('month 3: 2294');
  await expect(card.locator('img[src^="data:image/png"]')).toBeVisible();
  await expect(lab.panel.transcript).toContainText(
    'March has the highest revenue: 2294.'
  );
  await expect(lab.panel.transcript).toContainText('Added 1 cell+monthly');
  await lab.page.screenshot({ path: 'screenshots/done.png' });

  const cells = await lab.saved();
  expect(cells.map(one => one.id).filter(id => id.startsWith('mine'))).toEqual([
    'mine-0',
    'mine-1'
  ]);
  const [, made] = cells;
  expect(cells).toHaveLength(3);
  expect(made.source).toBe(BY_MONTH.join('\n'));
  expect(made.text).toContain('month 3: 2294\n');
  expect(made.mimeTypes).toContain('image/png');
  const [run] = await lab.journal.all('run.ended');
  expect(run.variables).toContainEqual(
    expect.objectContaining({ name: 'monthly', kind: 'added' })
  );
  expect(run.status).toBe('ok');
  expect(made.count).toBe(run.execution_count);
  const [thread] = await lab.journal.all('thread.created');
  expect(made.mark).toMatchObject({
    thread: thread.thread_id,
    run: run.run_id,
    cell_id: made.id,
    status: 'ok'
  });
});
