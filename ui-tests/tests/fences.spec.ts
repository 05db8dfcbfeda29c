import { type Lab } from '../support/lab';
import { expectAccessible, portrait } from '../support/look';
import { type ScriptedModel } from '../support/model';
import {
  asked,
  block,
  cell,
  gate,
  type IScriptedTurn,
  once,
  say,
  told
} from '../support/script';
import { SettingsPage } from '../support/settingspage';
import { expect, test } from '../support/test';

const PLAIN = 'openai/plain';

const MAKE_DF = `import pandas as pd

df = pd.DataFrame(
    {
        "date": pd.date_range("2026-01-01", periods=90, freq="D"),
        "revenue": [float(day) for day in range(90)],
    }
)`;

const WRONG = 'monthly = df.groupby(df["date"].dt.month)["revenu"].sum()';
const RIGHT = [
  'monthly = df.groupby(df["date"].dt.month)["revenue"].sum()',
  'print(f"March: {monthly[3]:.0f}")'
].join('\n');

const MAIN_JOB = [
  asked(
    ['re:df: DataFrame 90×2 \\[date datetime64\\[\\w+\\], revenue float64\\]'],
    say('I use the `df` that is there.'),
    cell('Revenue by month', WRONG)
  ),
  told('KeyError', say('A slip.'), cell('Revenue by month, repaired', RIGHT)),
  told('March: 2294', say('March has the **highest** revenue: 2294.'))
];

for (const [how, name, format] of [
  ['with tools', 'openai/scripted', 'tools'],
  ['without tools', PLAIN, 'fences']
] as const) {
  test(`a model ${how} uses df, waits for approval, repairs its error and sums up, with the same notebook`, async ({
    lab,
    model
  }) => {
    await model.play(...MAIN_JOB);
    await lab.begin(MAKE_DF, '# notes');
    await lab.document.goTo(0);
    const page = new SettingsPage(lab.panel);
    await page.open();
    await page.model.fill(name);
    await page.save();
    await lab.panel.say('continue from df: revenue by month');
    await lab.panel.proposed('Revenue by month');
    expect(await lab.journal.all('run.intended')).toEqual([]);
    await lab.panel.answer('Revenue by month', 'Run');
    await lab.panel.answer('Revenue by month, repaired', 'Run');
    await lab.journal.turnsEnded('end_turn');
    await expect(lab.panel.transcript).toContainText(
      'March has the highest revenue: 2294.'
    );
    await expect(lab.panel.transcript).toContainText('2 attempts');
    await expect(lab.panel.transcript).toContainText('Added 1 cell+monthly');
    await expect(lab.panel.transcript).not.toContainText('```');

    const [mine, made, notes, ...others] = await lab.saved();
    expect(others).toEqual([]);
    expect([mine.source, notes.source]).toEqual([MAKE_DF, '# notes']);
    expect(made.source).toBe(RIGHT);
    expect(made.text).toBe('March: 2294\n');
    expect(made.mark).toMatchObject({ status: 'ok', approved_by: 'person' });
    const [failed, worked] = await lab.journal.all('run.ended');
    expect(failed).toMatchObject({ status: 'error', variables: [] });
    expect(worked.variables).toMatchObject([
      { name: 'monthly', kind: 'added' }
    ]);
    const requests = await model.requests();
    expect(requests).toHaveLength(3);
    for (const { body } of requests) {
      expect(`openai/${body.model}`).toBe(name);
      expect(body.tools?.length ?? 0).toBe(format === 'tools' ? 2 : 0);
    }
  });
}

const TOTAL = 'total = sum(numbers)\nprint("total", total)';

/** A thread whose model has no tools, and has just shown a block that it does not run. */
async function withPlainBlock(
  lab: Lab,
  model: ScriptedModel,
  ...more: readonly IScriptedTurn[]
): Promise<void> {
  await model.play(
    asked(
      'how would I',
      say('So you could:'),
      block('python', TOTAL),
      say('\nTry it.')
    ),
    ...more
  );
  await lab.begin('numbers = [1000, 711]');
  await lab.panel.say('how would I add them');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.transcript).toContainText('Try it.');
}

test("Run at a plain block runs it as the person's cell, asks no model, and the next message tells of it", async ({
  lab,
  model,
  settings
}) => {
  await settings.choose(PLAIN);
  await withPlainBlock(
    lab,
    model,
    // The result of the person's cell and their next message come as one.
    {
      name: 'the next message',
      when: {
        last: ['total 1711', 'what is it'],
        request: ['The person runs this block of your answer themselves'],
        code: ['print("total", total)']
      },
      answer: [say('It is 1711.')]
    }
  );
  const run = lab.panel.transcript.getByRole('button', {
    name: 'Run this code'
  });
  await expect(run).toBeEnabled();
  await portrait(lab, 'plain-block');
  await expectAccessible(lab, 'a plain block');
  const before = (await model.requests()).length;
  await run.click();
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(lab.panel.transcript).toContainText('total 1711');
  await expect(lab.panel.transcript).toContainText('Added 1 cell+total');
  await portrait(lab, 'plain-block-ran');
  expect(await model.requests()).toHaveLength(before);

  const [, made, ...others] = await lab.saved();
  expect(others).toEqual([]);
  expect(made.source).toBe(TOTAL);
  expect(made.text).toBe('total 1711\n');
  expect(made.mark).toMatchObject({ status: 'ok', approved_by: 'person' });
  const [proposed] = await lab.journal.all('run.proposed');
  expect(proposed).toMatchObject({ by: 'user', code: TOTAL });
  expect(await lab.journal.all('approval.requested')).toEqual([]);

  await lab.panel.say('what is it');
  await lab.journal.turnsEnded('end_turn', 'end_turn', 'end_turn');
  await expect(lab.panel.transcript).toContainText('It is 1711.');
});

test('a block that was run once can be run again, and a failing one is told like any cell', async ({
  lab,
  model,
  settings
}) => {
  await settings.choose(PLAIN);
  await model.play(
    asked('how would I', say('So:'), block('python', 'print(1 / zero)'))
  );
  await lab.begin('zero = 0');
  await lab.panel.say('how would I divide');
  await lab.journal.turnsEnded('end_turn');
  const run = lab.panel.transcript.getByRole('button', {
    name: 'Run this code'
  });
  await run.click();
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(lab.panel.transcript).toContainText('ZeroDivisionError');
  await lab.document.goTo(0);
  await lab.page.keyboard.press('ControlOrMeta+a');
  await lab.page.keyboard.insertText('zero = 0.25');
  await lab.document.startCell(0);
  await run.click();
  await lab.journal.turnsEnded('end_turn', 'end_turn', 'end_turn');
  expect(await lab.journal.runStatuses()).toEqual(['error', 'ok']);
  expect(await model.requests()).toHaveLength(1);
  const cells = await lab.saved();
  expect(cells.at(-1)?.text).toBe('4.0\n');
});

test('a plain block has no Run in a thread that only talks', async ({
  lab,
  model,
  settings
}) => {
  await settings.choose(PLAIN);
  await withPlainBlock(lab, model);
  const { transcript } = lab.panel;
  const run = transcript.getByRole('button', { name: 'Run this code' });
  await expect(run).toBeVisible();
  await lab.panel.setMode('Chat only');
  await expect(run).toHaveCount(0);
  await expect(
    transcript.getByRole('button', { name: 'Copy this code' })
  ).toBeVisible();
  await portrait(lab, 'plain-block-chat');
  await lab.panel.setMode('Review each cell');
  await expect(run).toBeVisible();
});

test('Run at a plain block waits while a turn runs', async ({
  lab,
  model,
  settings
}) => {
  await settings.choose(PLAIN);
  await withPlainBlock(
    lab,
    model,
    asked('tell me more', say('Well, '), gate('more'), say('that is all.'))
  );
  const run = lab.panel.transcript.getByRole('button', {
    name: 'Run this code'
  });
  await lab.panel.say('tell me more');
  await expect(lab.panel.transcript).toContainText('Well,');
  await expect(run).toHaveAttribute('aria-disabled', 'true');
  await expect(run).toHaveAttribute('title', 'Not now: a turn is running');
  await run.click({ force: true });
  await lab.page.screenshot({ path: 'screenshots/plain-block-waits.png' });
  await model.release('more');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(run).not.toHaveAttribute('aria-disabled', 'true');
  expect(await lab.journal.all('run.proposed')).toEqual([]);
  await run.click();
  await lab.journal.turnsEnded('end_turn', 'end_turn', 'end_turn');
  expect(await lab.journal.runStatuses()).toEqual(['ok']);
});

/** A turn whose model turns out to have no tools, after its first cell. */
async function loseTools(lab: Lab, model: ScriptedModel): Promise<void> {
  await model.play(
    asked('count', cell('Count them', 'print("there are", 4000 + 711)')),
    once({ ...told('there are 4711'), fault: { kind: 'no_tools' } }),
    told(
      'there are 4711',
      say('Now twice.'),
      block('python run Double it', 'print("twice", 2 * 4711)')
    ),
    told('twice 9422', say('It is 9422.')),
    asked('once more', say('With tools again.'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('count');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.transcript).toContainText('It is 9422.');
}

const LEARNED = 'Fenced blocks: it refused tools on';

test('a model that refuses tools in the middle goes on in fences, which is told, remembered, and forgotten on a click', async ({
  lab,
  model
}) => {
  await loseTools(lab, model);
  const { transcript, root } = lab.panel;
  await expect(transcript).toContainText('This model has no tools');
  const cells = await lab.saved();
  expect(cells.map(one => one.text)).toEqual([
    '',
    'there are 4711\n',
    'twice 9422\n'
  ]);
  const tools = (await model.requests()).map(({ body }) => 'tools' in body);
  expect(tools).toEqual([true, true, false, false]);
  await portrait(lab, 'tools-refused');

  const page = new SettingsPage(lab.panel);
  await transcript.getByRole('button', { name: 'Model settings' }).click();
  await expect(root).toContainText(LEARNED);
  const forget = root.getByRole('button', { name: 'Forget openai/scripted' });
  await portrait(lab, 'learned', () => forget.scrollIntoViewIfNeeded());
  await expectAccessible(lab, 'what was learned');
  await forget.click();
  await expect(root).toContainText(
    'Forgot what was learned about openai/scripted.'
  );
  await expect(forget).toHaveCount(0);
  await expect(root).not.toContainText(LEARNED);
  await page.leave();

  await lab.panel.say('once more');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(transcript).toContainText('With tools again.');
  expect((await model.requests()).at(-1)?.body).toHaveProperty('tools');
});

const HALF = ['python run Write it', 'open("ran", "w").close()'].join('\n');

const CUTS: readonly {
  readonly name: string;
  readonly turns: readonly IScriptedTurn[];
  readonly words: string;
  readonly end: 'end_turn' | 'model_error';
}[] = [
  {
    name: "at the model's limit",
    turns: [
      { ...asked('write it', say(`So:\n\n\`\`\`${HALF}\n`)), finish: 'length' },
      asked('was cut off', say('Then I leave it.'))
    ],
    words: 'nothing of it was run',
    end: 'end_turn'
  },
  {
    name: 'by a broken connection',
    turns: [
      {
        ...asked('write it', say(`So:\n\n\`\`\`${HALF}\n`)),
        fault: { kind: 'eof' }
      }
    ],
    words: 'nothing of an unfinished cell ran',
    end: 'model_error'
  }
];

for (const { name, turns, words, end } of CUTS) {
  test(`a block that was cut ${name} never runs`, async ({
    lab,
    model,
    settings
  }) => {
    await settings.choose(PLAIN);
    await model.play(...turns);
    await lab.begin('mine = 1');
    await lab.panel.setMode('Auto');
    await lab.panel.say('write it');
    await lab.journal.turnsEnded(end);
    await expect(lab.panel.transcript).toContainText(words);
    await expect(lab.panel.stopButton).toBeHidden();
    await lab.page.screenshot({ path: `screenshots/cut-${end}.png` });
    expect(await lab.journal.all('run.intended')).toEqual([]);
    expect((await lab.saved()).map(one => one.id)).toEqual(['mine-0']);
    expect(await lab.wrote('ran')).toBeNull();
    await expect(
      lab.panel.transcript.getByRole('button', { name: 'Run this code' })
    ).toHaveCount(0);
  });
}
