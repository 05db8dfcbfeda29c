import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { type INotebookContent } from '@jupyterlab/nbformat';
import { type Locator } from '@playwright/test';

import { Home } from '../support/home';
import { type Lab } from '../support/lab';
import { expectAccessible, portrait } from '../support/look';
import { notebookFor } from '../support/notebook';
import { offerR, R, withdrawR } from '../support/rkernel';
import { asked, block, cell, type Item, say, told } from '../support/script';
import { expect, test } from '../support/test';

test.beforeAll(() => offerR(Home.shared()));
test.afterAll(() => withdrawR(Home.shared()));

const MAKE_DF = [
  'df <- data.frame(',
  '  region = rep(c("north", "south", "west"), 30),',
  '  revenue = 0:89',
  ')',
  'describe <- function(frame) nrow(frame)',
  'describe(df)'
].join('\n');

const UNAVAILABLE = 'Variables are not available for this kernel (R).';

const PURPOSE = 'Revenue by region, as a plot';
const REPAIRED = 'Revenue by region, repaired';

const WRONG = ['by_region <- tapply(df$sales, df$region, sum)'];
const RIGHT = [
  'total <- function(name) by_region[[name]]',
  'by_region <- tapply(df$revenue, df$region, sum)',
  'cat("west:", total("west"), "\\n")',
  'barplot(by_region, main = "Revenue by region", xlab = "Region", ylab = "Revenue")'
];

/** How the fenced format asks for a cell in R. */
function rBlock(purpose: string, ...lines: readonly string[]): Item {
  return block(`r run ${purpose}`, ...lines);
}

/** How a word of the code is coloured, and how the code around it is. */
async function coloursOf(
  where: Locator,
  word: string
): Promise<readonly string[]> {
  const token = where.locator('.cm-line span', { hasText: word }).first();
  return token.evaluate(span =>
    [span, span.closest('.cm-line')!].map(one => getComputedStyle(one).color)
  );
}

async function metadataOf(lab: Lab): Promise<INotebookContent['metadata']> {
  const file = path.join(lab.home.root, lab.path);
  return (JSON.parse(await readFile(file, 'utf8')) as INotebookContent)
    .metadata;
}

for (const [how, name, ask] of [
  ['with tools', 'openai/scripted', cell],
  ['without tools', 'openai/plain', rBlock]
] as const) {
  test(`in an R notebook a model ${how} uses df, waits, repairs its error, plots and sums up`, async ({
    lab,
    model,
    settings
  }) => {
    await settings.choose(name);
    await model.play(
      asked(
        [UNAVAILABLE, 're:R kernel|kernel.*R', 'revenue by region'],
        say('I use the `df` that is there.'),
        ask(PURPOSE, ...WRONG)
      ),
      told(
        'arguments must have same length',
        say('The column has another name.'),
        ask(REPAIRED, ...RIGHT)
      ),
      told('west: 1365', say('The west has the **highest** revenue: 1365.'))
    );
    await lab.beginWith(notebookFor(R, MAKE_DF, '# notes'));
    await lab.document.goTo(0);
    await lab.panel.say('continue from df: revenue by region, and plot it');
    const proposal = await lab.panel.proposed(PURPOSE);
    await expect(proposal).toContainText(
      'is in R, which is not looked through'
    );
    expect(await lab.journal.all('run.intended')).toEqual([]);
    await lab.panel.answer(PURPOSE, 'Run');
    const repair = await lab.panel.proposed(REPAIRED);
    const theirs = lab.document.cells.first();
    const [keyword, around] = await coloursOf(repair, 'function');
    expect(keyword).not.toBe(around);
    expect([keyword, around]).toEqual(await coloursOf(theirs, 'function'));
    await portrait(lab, `r-proposed-${how.replace(' ', '-')}`);
    await lab.panel.answer(REPAIRED, 'Run');
    await lab.journal.turnsEnded('end_turn');

    const card = lab.panel.card(REPAIRED);
    await expect(card).toContainText('west: 1365');
    await expect(card.locator('img[src^="data:image/png"]')).toBeVisible();
    await expect(lab.panel.transcript).toContainText(
      'The west has the highest revenue: 1365.'
    );
    await expect(lab.panel.transcript).toContainText('2 attempts');
    await expect(lab.panel.transcript).not.toContainText('```');
    await portrait(lab, `r-done-${how.replace(' ', '-')}`);
    await expectAccessible(lab, 'an R notebook');

    const saved = await lab.saved();
    const [mine, failed, made, notes, ...others] = saved;
    expect(others).toEqual([]);
    expect([mine.source, notes.source]).toEqual([MAKE_DF, '# notes']);
    expect(failed.source).toBe(WRONG.join('\n'));
    expect(failed.mark).toMatchObject({ status: 'error', folded: true });
    expect(failed.text).toContain('arguments must have same length');
    expect(made.source).toBe(RIGHT.join('\n'));
    expect(made.text).toContain('west: 1365');
    expect(made.mimeTypes).toContain('image/png');
    expect(made.mark).toMatchObject({ status: 'ok', approved_by: 'person' });
    const [, worked] = await lab.journal.all('run.ended');
    expect(worked).toMatchObject({ status: 'ok', variables: [] });
    expect(made.count).toBe(worked.execution_count);
    expect(await metadataOf(lab)).toMatchObject({
      kernelspec: R,
      language_info: { name: 'R', file_extension: '.r' }
    });
  });
}

test('an R notebook says in plain words that its variables are not available', async ({
  lab,
  model
}) => {
  await model.play(asked('hello', say('Hello.')));
  await lab.beginWith(notebookFor(R, MAKE_DF));
  await lab.panel.say('hello');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.root).toContainText('variables unknown, 1 cell');
  const given = lab.panel.root.getByRole('button', {
    name: 'Last sent: variables unknown, 1 cell'
  });
  const show = async (): Promise<void> => {
    // Dragging the panel's edge for a picture closes it.
    if ((await given.getAttribute('aria-expanded')) === 'false') {
      await given.click();
    }
    await expect(lab.panel.root).toContainText(UNAVAILABLE);
  };
  await show();
  await portrait(lab, 'r-variables', show);
});

const LONG = {
  'in a sleep': ['cat("begun\\n")', 'Sys.sleep(600)'],
  'in a tight loop': ['cat("begun\\n")', 'repeat {}']
};

for (const [where, lines] of Object.entries(LONG)) {
  test(`Stop interrupts an R cell ${where}, and the memory stays`, async ({
    lab,
    model
  }) => {
    await model.play(asked('wait', cell('Wait long', ...lines)));
    await lab.beginWith(
      notebookFor(
        R,
        'if (!exists("kept")) kept <- 41 else cat("still here\\n")'
      )
    );
    await lab.panel.setMode('Auto');
    await lab.panel.say('wait');
    await expect(lab.panel.card('Wait long')).toContainText('begun');
    await expect(lab.panel.binding).toContainText(
      'busy with a cell of CaveLab'
    );
    await lab.panel.stopButton.click();
    await lab.panel.stands('Wait long', 'interrupted');
    await lab.journal.turnsEnded('cancelled');
    await expect(lab.panel.binding).toContainText('idle');
    await lab.page.screenshot({ path: 'screenshots/r-stopped.png' });

    const [, made] = await lab.saved();
    expect(made.source).toBe(lines.join('\n'));
    expect(made.text).toContain('begun\n');
    expect(made.mark).toMatchObject({ status: 'interrupted' });
    await lab.document.startCell(0);
    await expect(lab.document.cells.first()).toContainText('still here');
  });
}
