import { type Locator } from '@playwright/test';

import { type Lab } from '../support/lab';
import { expectAccessible, portrait, setWidth } from '../support/look';
import { asked, cell, look, say, scratch, told } from '../support/script';
import { expect, test } from '../support/test';

const MAKE_DF = `import pandas as pd

df = pd.DataFrame(
    {
        "date": pd.date_range("2026-01-01", periods=90, freq="D"),
        "region": ["north", "south", "west"] * 30,
        "revenue": [float(day) for day in range(90)],
    }
)`;

/** The beginning of \`df\`, which nobody wrote down but the kernel. */
const HEAD_OF_DF = 're:2026-01-02\\S*\\s.*south.*\\s1(\\.0)?\\b';

const WHOLE = 'A scratch run: it leaves no cell in the notebook.';

/** The list of variables that opens behind @. */
const offer = (lab: Lab): Locator =>
  lab.panel.root.getByRole('listbox', { name: 'Variables' });

/** Begin to name a variable, whatever stood in the field. */
async function name(lab: Lab, words: string): Promise<void> {
  await lab.panel.composer.fill('');
  await lab.panel.composer.pressSequentially(words);
  await expect(offer(lab)).toBeVisible();
}

test('@df completes by keyboard, and the model is given how df begins', async ({
  lab,
  model
}) => {
  await model.play(
    asked(
      ['what stands in @df, please?', HEAD_OF_DF],
      say('It begins on the first of January, in the north.')
    )
  );
  await lab.begin(MAKE_DF, 'other = 1');
  await name(lab, 'what stands in @');
  await expect(offer(lab).getByRole('option')).toHaveText([
    /^other\s*int$/,
    /^df\s*DataFrame 90 × 3$/
  ]);
  await lab.page.keyboard.type('d');
  await expect(offer(lab).getByRole('option')).toHaveCount(1);
  await lab.page.keyboard.press('Enter');
  await expect(offer(lab)).toHaveCount(0);
  await expect(lab.panel.composer).toHaveValue('what stands in @df');
  await lab.page.keyboard.type(', please?');
  await lab.page.keyboard.press('Enter');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.transcript).toContainText('in the north');

  const [turn] = await lab.journal.all('turn.started');
  expect(turn.content).toEqual([
    { type: 'text', text: 'what stands in ' },
    { type: 'mention', kind: 'variable', name: 'df' },
    { type: 'text', text: ', please?' }
  ]);
  const row = lab.panel.transcript.getByText('Looked at df: first rows');
  await row.click();
  await expect(
    lab.panel.transcript.getByRole('group', { name: 'What df holds' })
  ).toContainText('south');
  await expectAccessible(lab, 'a look of the person');
  await portrait(lab, 'mentioned');

  await lab.panel.composer.click();
  await lab.page.keyboard.press('ArrowUp');
  await expect(lab.panel.composer).toHaveValue('what stands in @df, please?');
  await expect(offer(lab)).toHaveCount(0);
});

test('the list behind @ covers nothing of the field, closes by Esc, and axe finds nothing in it', async ({
  lab
}) => {
  await lab.begin(
    MAKE_DF,
    ...Array.from({ length: 12 }, (_, at) => `value_${at} = [${at}] * ${at}`)
  );
  await setWidth(lab, 280);
  await name(lab, 'plot @');
  const list = (await offer(lab).boundingBox())!;
  const field = (await lab.panel.composer.boundingBox())!;
  const panel = (await lab.panel.root.boundingBox())!;
  expect(list.y + list.height).toBeLessThanOrEqual(field.y);
  expect(list.x).toBeGreaterThanOrEqual(panel.x);
  expect(list.x + list.width).toBeLessThanOrEqual(panel.x + panel.width);
  expect(list.y).toBeGreaterThanOrEqual(panel.y);
  await lab.page.keyboard.press('ArrowUp');
  await expect(
    offer(lab).getByRole('option', { selected: true })
  ).toBeInViewport({ ratio: 1 });
  await expectAccessible(lab, 'the list of variables');
  await lab.page.keyboard.press('Escape');
  await expect(offer(lab)).toHaveCount(0);
  await expect(lab.panel.composer).toBeFocused();
  await expect(lab.panel.composer).toHaveValue('plot @');
  await portrait(lab, 'completion', () => name(lab, 'plot @'));
});

test('what a cell did to the variables stands on its card', async ({
  lab,
  model
}) => {
  const purpose = 'Sum the revenue by month';
  await model.play(
    asked(
      'by month',
      cell(
        purpose,
        'df["month"] = df["date"].dt.month',
        'monthly = df.groupby("month")["revenue"].sum()',
        'del other'
      )
    ),
    told('+monthly', say('There it is.'))
  );
  await lab.begin(MAKE_DF, 'other = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('by month');
  await lab.journal.turnsEnded('end_turn');
  const card = lab.panel.card(purpose);
  await expect(
    card.getByRole('list', { name: 'Changes of variables' })
  ).toContainText('Changed df: DataFrame 90 × 3 → DataFrame 90 × 4');
  await lab.panel.head(purpose).click();
  for (const mark of ['+monthly', '~df', '−other']) {
    await expect(card).toContainText(mark);
  }
  await expect(lab.panel.transcript).toContainText('Added 1 cell');
});

test('a scratch run says that it leaves no cell, and leaves none', async ({
  lab,
  model
}) => {
  const purpose = 'Count the rows';
  await model.play(
    asked('how many', scratch(purpose, 'rows = len(df)', 'rows')),
    told('90', say('There are 90 rows.'))
  );
  await lab.begin(MAKE_DF);
  await lab.panel.say('how many');
  const proposal = await lab.panel.proposed(purpose);
  await expect(proposal).toContainText(WHOLE);
  await expectAccessible(lab, 'a scratch run that waits');
  await portrait(lab, 'scratch-waits');
  await lab.panel.answer(purpose, 'Run');
  await lab.panel.stands(purpose, 'done');
  await lab.journal.turnsEnded('end_turn');
  const card = lab.panel.card(purpose);
  await expect(card).toContainText(WHOLE);
  await expect(card.getByRole('button', { name: 'Go to cell' })).toHaveCount(0);
  await lab.panel.head(purpose).click();
  await expect(lab.panel.head(purpose)).toContainText('scratch');
  await expect(lab.panel.transcript).toContainText('+rows');
  await expect(lab.panel.transcript).not.toContainText('Added');
  await portrait(lab, 'scratch-ran');
  expect((await lab.saved()).map(one => one.id)).toEqual(['mine-0']);
});

test("the model's look is one line that opens to what was seen", async ({
  lab,
  model
}) => {
  await model.play(
    asked('what is there', look(['df', 'nothing'], 'column revenue')),
    told('df: DataFrame', say('Ninety days of revenue.'))
  );
  await lab.begin(MAKE_DF);
  await lab.panel.say('what is there');
  await lab.journal.turnsEnded('end_turn');
  const row = lab.panel.transcript.getByText(
    'Looked at df, nothing: column revenue'
  );
  await expect(row).toBeVisible();
  await expect(lab.panel.transcript).not.toContainText('DataFrame 90 × 3');
  await row.click();
  await expect(lab.panel.transcript).toContainText('DataFrame 90 × 3');
  await expectAccessible(lab, 'a look');
  await portrait(lab, 'look');
  expect((await lab.saved()).map(one => one.id)).toEqual(['mine-0']);
});

test('variables say that their cell is gone or was edited, and what the person changed is told', async ({
  lab,
  model
}) => {
  await model.play(asked('one', say('First.')), asked('two', say('Second.')));
  await lab.begin('kept = [1]', 'edited = [1, 2]', 'lost = [3]');
  await lab.panel.say('one');
  await lab.journal.turnsEnded('end_turn');
  await lab.document.goTo(0);
  await lab.page.keyboard.press('ControlOrMeta+End');
  await lab.page.keyboard.type('\nfresh = 2');
  // From here on the kernel tells which cell made what.
  await lab.document.runAll();
  await expect(lab.document.cells.nth(2)).toContainText('[6]:');
  await lab.document.goTo(1);
  await lab.page.keyboard.type('# ');
  await lab.document.goTo(2);
  await lab.page.keyboard.press('Escape');
  await lab.page.keyboard.press('d');
  await lab.page.keyboard.press('d');
  await expect(lab.document.cells).toHaveCount(2);
  await lab.panel.composer.click();
  await lab.panel.say('two');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  const line = lab.panel.root.getByRole('button', { name: /^Last sent/ });
  await expect(line).toContainText('by other cells');
  await line.click();
  const given = lab.panel.root.getByRole('dialog', {
    name: 'What the model is given'
  });
  await expect(given).toContainText('Your cells:');
  await expect(given).toContainText('+fresh');
  await expect(given.getByRole('row', { name: /^edited/ })).toContainText(
    'its cell was edited since'
  );
  await expect(given.getByRole('row', { name: /^lost/ })).toContainText(
    'its cell is gone'
  );
  await expect(given.getByRole('row', { name: /^kept/ })).not.toContainText(
    'its cell'
  );
  await expectAccessible(lab, 'the marked variables');
  await portrait(lab, 'marked', async () => {
    if (!(await given.isVisible())) {
      await line.click();
    }
  });
});
