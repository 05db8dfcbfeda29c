import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';

import { LocalServer } from '../support/localserver';
import { expectAccessible, portrait } from '../support/look';
import { freePort } from '../support/ports';
import {
  asked,
  broken,
  cell,
  gate,
  type IScriptedTurn,
  say,
  told
} from '../support/script';
import { scriptedAddress } from '../support/settings';
import { SettingsPage } from '../support/settingspage';
import { expect, test } from '../support/test';

// ── *Test* in the settings

/** What *Test* asks a model to do. */
const ASKED_BY_TEST = 'Call `run_cell`';

const VERDICTS: readonly {
  readonly name: string;
  readonly answer: IScriptedTurn | null;
  readonly address: () => string;
  readonly words: string;
  readonly level: 'info' | 'warning';
}[] = [
  {
    name: 'a model that calls the tool',
    answer: asked(ASKED_BY_TEST, cell('test', '1')),
    address: scriptedAddress,
    words: 'It answered and called the tool: it can run cells here.',
    level: 'info'
  },
  {
    name: 'a wrong key',
    answer: broken(ASKED_BY_TEST, { kind: 'key_missing' }),
    address: scriptedAddress,
    words: 'The provider rejected the key.',
    level: 'warning'
  },
  {
    name: 'an address where nobody listens',
    answer: null,
    address: () => `http://127.0.0.1:${freePort()}/v1`,
    words: "The model's server can't be reached.",
    level: 'warning'
  }
];

for (const { name, answer, address, words, level } of VERDICTS) {
  test(`Test tells of ${name} what was tried and what came back, and saves nothing`, async ({
    lab,
    model,
    settings
  }) => {
    await model.play(...(answer ? [answer] : []));
    await lab.begin('mine = 1');
    const before = await settings.status();
    const page = new SettingsPage(lab.panel);
    await page.open();
    const tried = address();
    await page.address.fill(tried);
    await page.press('Test');
    await expect(page.verdict).toContainText(words);
    await expect(page.verdict).toContainText(
      `The model 'openai/scripted' at ${tried}, with the key in CAVE_LAB_UI_KEY.`
    );
    await expect(page.verdict).toHaveAttribute('data-level', level);
    await expect(lab.panel.root).not.toContainText('canary-key');
    await portrait(lab, `test-${name.replaceAll(' ', '-')}`, () =>
      page.verdict.scrollIntoViewIfNeeded()
    );
    expect(await settings.status()).toMatchObject({ model: before.model });
    expect(await model.requests()).toHaveLength(answer ? 1 : 0);
    await page.leave();
  });
}

test('Test shows beside its verdict what it learned of the model', async ({
  lab,
  model
}) => {
  await model.play(asked(ASKED_BY_TEST, cell('test', '1')));
  await lab.begin('mine = 1');
  const page = new SettingsPage(lab.panel);
  await page.open();
  await page.press('Test');
  await expect(page.verdict).toContainText('called the tool');
  await expect(lab.panel.root).toContainText(
    'Tools: it called the tool when it was tested on'
  );
});

// ── model servers on this machine

test('a model server on this machine is found on a click and shown with its owner, and a model of it fills the form and saves nothing', async ({
  lab,
  model,
  settings
}, info) => {
  await model.play();
  const server = await LocalServer.start(
    ['qwen3:8b', 'a-model-with-a-long-name-of-many-parts-Q4_K_M.gguf'],
    port =>
      info.annotations.push({ type: 'port', description: `${port} is taken` })
  );
  test.skip(server === null, 'all usual ports of model servers are taken');
  const { address, name } = server!;
  try {
    await lab.begin('mine = 1');
    const before = await settings.status();
    const page = new SettingsPage(lab.panel);
    await page.open();
    await expect(lab.panel.root).not.toContainText(address);
    await page.press('Find model servers on this machine');
    const found = lab.panel.root
      .getByRole('listitem')
      .filter({ hasText: address });
    await expect(found).toContainText(`${name} ${address}`);
    await expect(found).toContainText(
      `Its port belongs to the user ${userInfo().username}.`
    );
    const offered = found.getByRole('group', { name: `Models of ${name}` });
    await expect(offered.getByRole('button')).toHaveText([
      'qwen3:8b',
      'a-model-with-a-long-name-of-many-parts-Q4_K_M.gguf'
    ]);
    await offered.getByRole('button', { name: 'qwen3:8b' }).click();
    await expect(page.model).toHaveValue('openai/qwen3:8b');
    await expect(page.address).toHaveValue(address);
    await expect(page.key).toHaveValue('');
    await expect(lab.panel.root).toContainText(
      'openai/qwen3:8b is in the form below. Test it, then save it: nothing changes until you save.'
    );
    await portrait(lab, 'found', () => found.scrollIntoViewIfNeeded());
    await expectAccessible(lab, 'found model servers');
    expect(await settings.status()).toEqual(before);
    await page.leave();
    await expect(
      lab.panel.root.getByRole('button', { name: 'openai/scripted' })
    ).toBeVisible();
    expect(await model.requests()).toEqual([]);
  } finally {
    await server?.stop();
  }
});

// ── reasoning

const THOUGHT = 'a-thought-that-stays-in-the-panel';

test('reasoning streams folded, can be opened, and is in no cell and no metadata of the notebook', async ({
  lab,
  model
}) => {
  const thinking = Array.from(
    { length: 30 },
    (_, at) => `Step ${at}: ${THOUGHT} and what follows from it.`
  ).join('\n');
  await model.play(
    asked(
      'think',
      { reasoning: thinking },
      gate('thought'),
      { reasoning: '\nSo I set it.' },
      say('I thought about it.'),
      cell('Set it', 'x = 41 + 1', 'print("x is", x)')
    ),
    told('x is 42', { reasoning: `${THOUGHT}, again` }, say('Done.'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('think');
  const { transcript } = lab.panel;
  const thoughts = transcript.getByRole('group', { name: 'Reasoning' });
  const head = transcript.getByText('Reasoning …');
  await expect(head).toContainText(`Step 29: ${THOUGHT}`);
  await expect(thoughts).toHaveCount(0);
  await portrait(lab, 'reasoning-folded');
  await head.click();
  await expect(thoughts).toContainText('Step 0:');
  await portrait(lab, 'reasoning-open');
  await expectAccessible(lab, 'open reasoning');
  await model.release('thought');
  await lab.journal.turnsEnded('end_turn');
  await expect(thoughts).toHaveCount(1);
  await expect(thoughts).toContainText('So I set it.');
  await expect(transcript.locator('summary')).toHaveText([
    'Reasoning',
    'Reasoning'
  ]);

  const [, made] = await lab.saved();
  expect(made.text).toBe('x is 42\n');
  const file = path.join(lab.home.root, lab.path);
  expect(await readFile(file, 'utf8')).not.toContain(THOUGHT);

  await lab.comeBack();
  await expect(transcript.locator('summary')).toHaveCount(2);
  await expect(transcript).not.toContainText(THOUGHT);
  await transcript.locator('summary').first().click();
  await expect(thoughts).toContainText('So I set it.');
});

// ── what a model takes

test('a context window is kept as it was meant, and refused in a sentence', async ({
  lab,
  settings
}) => {
  await lab.begin('mine = 1');
  const page = new SettingsPage(lab.panel);
  await page.open();
  const { root } = lab.panel;
  await root.getByText('How this model works').click();
  const window = root.getByLabel('Context window, in tokens');
  await window.fill('12');
  await expect(root).toContainText('Write 2,048 or more');
  await expect(
    root.getByRole('button', { name: 'Save' }).first()
  ).toBeDisabled();
  await expectAccessible(lab, 'a refused context window');
  await window.fill('128k');
  await expect(root).toContainText('128,000 tokens in one call');
  await root.getByLabel('Sees images').selectOption('Yes');
  await portrait(lab, 'model-options', () => window.scrollIntoViewIfNeeded());
  await page.save();
  const { model } = await settings.status();
  expect(model!.options).toMatchObject({ window: 128_000, sees: true });
});
