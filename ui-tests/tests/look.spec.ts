import { type Lab } from '../support/lab';
import {
  expectAccessible,
  portrait,
  setTheme,
  setWidth,
  THEMES
} from '../support/look';
import { type ScriptedModel } from '../support/model';
import { asked, cell, say, told } from '../support/script';
import { SettingsPage } from '../support/settingspage';
import { expect, test } from '../support/test';

const PLOT = [
  '%matplotlib inline',
  'import matplotlib.pyplot as plt',
  'monthly = {"Jan": 465, "Feb": 1246, "Mar": 2294}',
  'plt.bar(monthly.keys(), monthly.values())',
  'plt.title("Revenue by month")',
  'plt.ylabel("revenue")',
  'plt.show()'
];

/** A thread with an answer, a plot, a failure that was repaired, and a cell that waits. */
async function fill(lab: Lab, model: ScriptedModel): Promise<void> {
  await model.play(
    asked(
      'revenue by month',
      say('I use the `sales` that are there.'),
      cell('Plot revenue by month', ...PLOT)
    ),
    told('figure', cell('Show the best month', 'monthly["Apr"]')),
    told(
      'KeyError',
      cell('Show the best month', 'max(monthly, key=monthly.get)')
    ),
    told('Mar', say('**March** is the best month, with a revenue of 2,294.')),
    asked('save it', cell('Save it', 'open("monthly.csv", "w").write("x")'))
  );
  await lab.begin('sales = [465, 1246, 2294]');
  await lab.panel.setMode('Auto');
  await lab.panel.say('continue from sales: revenue by month, and plot it');
  await lab.journal.turnsEnded('end_turn');
  await lab.panel.setMode('Review each cell');
  await lab.panel.composer.click();
  await lab.panel.say('save it');
  await lab.panel.proposed('Save it');
}

test('axe finds nothing in a thread, in the light and in the dark theme', async ({
  lab,
  model
}) => {
  await fill(lab, model);
  await expectAccessible(lab, 'a thread');
});

test('axe finds nothing in the first view and in the settings', async ({
  lab
}) => {
  await lab.begin('mine = 1');
  await expectAccessible(lab, 'the first view');
  await lab.panel.root.getByRole('button', { name: 'Model settings' }).click();
  await expect(
    lab.panel.root.getByLabel('Model', { exact: true })
  ).toBeVisible();
  const field = lab.panel.root.getByLabel('Environment variable');
  await field.fill(`sk-proj-${'aB3'.repeat(20)}`);
  await expect(field).toHaveValue('');
  await expect(lab.panel.root).toContainText('That looks like a key');
  await expectAccessible(lab, 'the model settings');
  await lab.page.screenshot({ path: 'screenshots/settings.png' });
});

test('the way back is at hand at the end of the settings too', async ({
  lab
}) => {
  const page = new SettingsPage(lab.panel);
  await lab.begin('mine = 1');
  await lab.page.setViewportSize({ width: 1280, height: 500 });
  await page.open();
  await lab.panel.root.getByText('Budgets', { exact: true }).click();
  const last = lab.panel.root.getByText(/^Scripted, not an AI/);
  await portrait(lab, 'settings-end', () => last.scrollIntoViewIfNeeded());
  await expect(last).toBeInViewport({ ratio: 1 });
  await expect(page.model).not.toBeInViewport();
  await expect(page.back).toBeInViewport({ ratio: 1 });
  await page.back.click();
  await expect(lab.panel.composer).toBeFocused();
});

test('axe finds nothing in the open threads and in the open variables', async ({
  lab,
  model
}) => {
  await model.play(asked('look', say('I see them.')));
  await lab.begin('mine = 1');
  await lab.panel.say('look');
  await lab.journal.turnsEnded('end_turn');
  const { root } = lab.panel;
  await root.getByRole('button', { name: 'Other threads' }).click();
  const threads = root.getByRole('dialog', { name: 'Threads' });
  await expect(threads.getByText('look')).toBeVisible();
  await expect(
    threads.getByTitle(/^Last changed: .*\d\d:\d\d/)
  ).not.toHaveCount(0);
  await expectAccessible(lab, 'the threads');
  await lab.page.screenshot({ path: 'screenshots/threads.png' });
  await expect(threads).toBeVisible();
  await lab.page.keyboard.press('Escape');
  await expect(threads).toHaveCount(0);
  await root.getByRole('button', { name: 'variable' }).click();
  await expect(root.getByRole('table')).toContainText('mine');
  await expect(root).toContainText('Last sent: 1 variable, 1 cell');
  await expectAccessible(lab, 'the variables');
  await lab.page.screenshot({ path: 'screenshots/variables.png' });
  await expect(root.getByRole('table')).toBeVisible();
});

test('screenshots, light and dark, narrow and wide', async ({ lab, model }) => {
  await fill(lab, model);
  for (const theme of THEMES) {
    await setTheme(lab.page, theme);
    for (const [name, width] of [
      ['narrow', 280],
      ['wide', 480]
    ] as const) {
      await setWidth(lab, width);
      const shade = theme.endsWith('Dark') ? 'dark' : 'light';
      await lab.page.screenshot({
        path: `screenshots/panel-${shade}-${name}.png`
      });
    }
  }
  const box = (await lab.panel.root.boundingBox())!;
  expect(box.width).toBeGreaterThan(400);
});

/** Where the lines of an element's text begin, from the left, in whole pixels. */
function lineStarts(element: Element): number[] {
  const starts = new Map<number, number>();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const { left, bottom, width } of range.getClientRects()) {
      const line = Math.round(bottom);
      if (width > 0) {
        starts.set(line, Math.min(starts.get(line) ?? left, left));
      }
    }
  }
  return [...starts.values()].map(Math.round);
}

/** A cell longer and wider than a narrow panel, indented where it matters. */
const LONG = [
  'total = 0',
  'for row in range(60):',
  ...Array.from(
    { length: 60 },
    (_, at) => `    total += row * ${at}  # ${'a long remark, '.repeat(8)}`
  ),
  'open("total.txt", "w").write(str(total))'
];

test('the answers to a long cell are in view in a narrow panel, and its indents can be read', async ({
  lab,
  model
}) => {
  await model.play(asked('sum it', cell('Sum it up and keep it', ...LONG)));
  await lab.begin('rows = 60');
  await setWidth(lab, 280);
  const [start, ...others] = await lab.panel.binding.evaluate(lineStarts);
  expect(others).toEqual([start]);
  await lab.panel.say('sum it');
  const proposal = await lab.panel.proposed('Sum it up and keep it');
  for (const name of ['Run', 'Edit', 'Reject', 'Run all in this turn']) {
    await expect(
      proposal.getByRole('button', { name, exact: true })
    ).toBeInViewport({ ratio: 1 });
  }
  await expect(proposal).toBeInViewport({ ratio: 1 });
  const frame = (await lab.panel.transcript.boundingBox())!;
  const card = (await proposal.boundingBox())!;
  expect(card.y).toBeGreaterThanOrEqual(frame.y);
  expect(card.y + card.height).toBeLessThanOrEqual(frame.y + frame.height);
  await lab.page.screenshot({ path: 'screenshots/long-narrow.png' });

  const code = proposal.locator('.cm-scroller');
  const size = await code.evaluate(box => ({
    hidden: box.scrollWidth - box.clientWidth,
    below: box.scrollHeight - box.clientHeight
  }));
  expect(size.hidden).toBeGreaterThan(0);
  expect(size.below).toBeGreaterThan(0);
  const left = () => code.evaluate(box => box.scrollLeft);
  await proposal.getByRole('textbox', { name: 'Proposed code' }).focus();
  await lab.page.keyboard.press('ArrowDown');
  await lab.page.keyboard.press('ArrowDown');
  await lab.page.keyboard.press('End');
  await expect.poll(left).toBeGreaterThan(0);
  await lab.page.screenshot({ path: 'screenshots/long-end.png' });
  await lab.page.keyboard.press('ControlOrMeta+End');
  await expect(code).toContainText('total.txt');
  await lab.panel.answer('Sum it up and keep it', 'Edit');
  await expect(
    proposal.getByRole('button', { name: 'Run edited' })
  ).toBeInViewport({ ratio: 1 });
  await lab.page.screenshot({ path: 'screenshots/long-editing.png' });

  await lab.page.setViewportSize({ width: 1280, height: 420 });
  await expect(
    proposal.getByRole('button', { name: 'Run edited' })
  ).toBeInViewport({ ratio: 1 });
  await lab.page.screenshot({ path: 'screenshots/long-low.png' });
});

test('a long output shows its end, and a picture from elsewhere stays there', async ({
  lab,
  model
}) => {
  await model.play(
    asked(
      'print a lot',
      cell(
        'Print a lot',
        'from IPython.display import HTML, display',
        'for row in range(400):',
        '    print("row", row)',
        "display(HTML(\"<b>bold</b> <img alt='chart' src='https://canary.example/p.png'>\"))",
        'rows[9]'
      )
    ),
    told('IndexError', say('There is no tenth row.'))
  );
  await lab.begin('rows = [1]');
  await lab.panel.setMode('Auto');
  await lab.panel.say('print a lot');
  await lab.journal.turnsEnded('end_turn');
  const card = lab.panel.card('Print a lot');
  await expect(card).toContainText('384 lines left out');
  await expect(card).toContainText('row 399');
  await expect(card).toContainText('IndexError: list index out of range');
  await expect(card).toContainText('picture not loaded: chart');
  await expect(card.locator('img')).toHaveCount(0);
  for (const [name, width] of [
    ['narrow', 280],
    ['wide', 480]
  ] as const) {
    await setWidth(lab, width);
    await card
      .getByRole('button', { name: 'See all in the cell' })
      .scrollIntoViewIfNeeded();
    await lab.page.screenshot({ path: `screenshots/output-${name}.png` });
  }
  await expectAccessible(lab, 'a long output');
  await card.getByRole('button', { name: 'See all in the cell' }).click();
  await expect(lab.document.cells.nth(1)).toBeInViewport();
});

test("the palette says of a command that it is CaveLab's", async ({ lab }) => {
  await lab.begin('mine = 1');
  await lab.page.keyboard.press('ControlOrMeta+Shift+c');
  const palette = lab.page.locator('.lm-CommandPalette');
  await palette.locator('input').first().fill('guided tour');
  await lab.page.screenshot({ path: 'screenshots/palette.png' });
  await expect(palette.getByRole('menuitem')).toHaveText([
    /^CaveLab: Take the guided tour/
  ]);
});

test("the first hit of CaveLab's name opens the panel and loosens nothing", async ({
  lab
}) => {
  await lab.begin('mine = 1');
  const palette = lab.page.locator('.lm-CommandPalette');
  await lab.page.keyboard.press('ControlOrMeta+Shift+c');
  await palette.locator('input').first().fill('cavelab');
  await expect(palette.getByRole('menuitem').first()).toHaveText(
    /^CaveLab: Open the panel/
  );
  await lab.page.screenshot({ path: 'screenshots/palette-name.png' });
  await lab.page.keyboard.press('Enter');
  await expect(lab.panel.composer).toBeFocused();
  await expect(
    lab.panel.root.getByRole('combobox', { name: 'Mode' })
  ).toHaveValue('review');
});

const PAYLOADS = [
  '![a](https://canary.example/inline.png)',
  '![a][ref]\n\n[ref]: https://canary.example/reference.png',
  '<img src="https://canary.example/html.png">',
  '<img srcset="https://canary.example/srcset.png 2x">',
  '<div style="background: url(https://canary.example/css.png)">x</div>',
  '<svg><image href="https://canary.example/svg.png"/></svg>',
  '<a href="javascript:alert(1)">click</a>',
  '<iframe src="https://canary.example/frame.html"></iframe>',
  '<button data-commandlinker-command="notebook:delete-cell" data-commandlinker-args="{}">b</button>',
  '<video poster="https://canary.example/poster.png" src="https://canary.example/v.mp4"></video>',
  '$\\href{https://canary.example}{x}\\includegraphics{https://canary.example/math.png}$'
];

test("a model's words load nothing and run no command", async ({
  lab,
  model
}) => {
  const outside: string[] = [];
  await lab.page.context().route(
    url => url.hostname !== '127.0.0.1',
    async route => {
      outside.push(route.request().url());
      await route.abort();
    }
  );
  await model.play(
    asked('say things', say(PAYLOADS.join('\n\n') + '\n\nthe end'))
  );
  await lab.begin('mine = 1');
  await lab.panel.say('say things');
  await expect(lab.panel.transcript).toContainText('the end');
  await lab.journal.turnsEnded('end_turn');
  const answer = lab.panel.transcript.locator('.jp-CaveLab-answer');
  await expect(
    answer.locator('iframe, [data-commandlinker-command]')
  ).toHaveCount(0);
  await expect(answer.locator('a[href^="javascript"]')).toHaveCount(0);
  expect(outside.filter(url => url.includes('canary'))).toEqual([]);
  const links = await answer.locator('a, button').all();
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) {
    await link.click();
  }
  await expect(answer).toContainText('the end');
  await expect(lab.document.cells).toHaveCount(1);
  expect((await lab.saved()).map(one => one.id)).toEqual(['mine-0']);
});
