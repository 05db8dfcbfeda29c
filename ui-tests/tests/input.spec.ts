import { expectAccessible, portrait } from '../support/look';
import { asked, cell, say, told } from '../support/script';
import { expect, test } from '../support/test';

const SECRET = 'canary-password-0123456789';

const ASK = [
  'name = input("Your name? ")',
  'import getpass',
  'word = getpass.getpass()',
  'print("Hello,", name, "with", len(word), "letters")'
];
const GREETING = `Hello, Ada with ${SECRET.length} letters`;

test('a cell asks for a name and a password, and gets both', async ({
  lab,
  model
}) => {
  await model.play(
    asked('sign me in', cell('Ask', ...ASK)),
    told(GREETING, say('You are signed in.'))
  );
  await lab.begin();
  await lab.panel.setMode('Auto');
  await lab.panel.composer.focus();
  await lab.panel.say('sign me in');
  await lab.panel.stands('Ask', 'needs input');
  const name = await lab.panel.asks('Ask', /name/);
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('type', 'text');
  await expect(lab.panel.binding).toContainText(
    'a cell of CaveLab waits for your input'
  );
  await expect(lab.panel.root.getByRole('status')).toHaveText(
    'Ask: needs input. Your name?'
  );
  await portrait(lab, 'asks', () => name.scrollIntoViewIfNeeded());
  await expectAccessible(lab, 'a cell that asks');

  await name.fill('Ada');
  await name.press('Enter');
  await expect(name).toBeHidden();
  const word = await lab.panel.asks('Ask', 'Password');
  await expect(word).toHaveAttribute('type', 'password');
  await expect(word).toBeFocused();
  await portrait(lab, 'asks-password', () => word.scrollIntoViewIfNeeded());
  await word.fill(SECRET);
  await lab.panel
    .card('Ask')
    .getByRole('button', { name: 'Send', exact: true })
    .click();
  await lab.panel.stands('Ask', 'done');
  await expect(lab.panel.transcript).toContainText('You are signed in.');
  await expect(lab.panel.composer).toBeFocused();

  const made = (await lab.saved()).at(-1)!;
  expect(made.text).toBe(`${GREETING}\n`);
  expect(JSON.stringify(made.outputs)).not.toContain(SECRET);
  expect(JSON.stringify(await lab.journal.events())).not.toContain(SECRET);
  expect(await lab.page.content()).not.toContain(SECRET);
});

test('Stop ends a cell that asks, and the next question gets its own answer', async ({
  lab,
  model
}) => {
  await model.play(
    asked('ask', cell('Ask', 'x = input("First? ")')),
    asked('again', cell('Ask again', 'print(input("Second? "))')),
    told('mine', say('Thank you.'))
  );
  await lab.begin();
  await lab.panel.setMode('Auto');
  await lab.panel.say('ask');
  const first = await lab.panel.asks('Ask', 'First?');
  await first.fill('half of an answ');
  await first.press('Escape');
  await lab.panel.stands('Ask', 'interrupted');
  await lab.journal.turnsEnded('cancelled');
  await expect(first).toBeHidden();
  await lab.panel.say('again');
  const second = await lab.panel.asks('Ask again', 'Second?');
  await second.fill('mine');
  await second.press('Enter');
  await lab.panel.stands('Ask again', 'done');
  await lab.journal.turnsEnded('cancelled', 'end_turn');
  expect((await lab.saved()).at(-1)?.text).toBe('mine\n');
  const closed = await lab.journal.all('stdin.closed');
  expect(closed.map(({ reason }) => reason)).toEqual(['cancelled', 'answered']);
});

test('a question is still there after a reload', async ({ lab, model }) => {
  await model.play(
    asked('ask', cell('Ask', 'print("Hello,", input("Your name? "))')),
    told('Hello, Ada', say('Thank you.'))
  );
  await lab.begin();
  await lab.panel.setMode('Auto');
  await lab.panel.say('ask');
  await lab.panel.stands('Ask', 'needs input');
  await lab.document.reload();
  await lab.panel.open();
  await lab.panel.stands('Ask', 'needs input');
  const name = await lab.panel.asks('Ask', 'Your name?');
  await name.fill('Ada');
  await name.press('Enter');
  await lab.panel.stands('Ask', 'done');
  await lab.journal.turnsEnded('end_turn');
  expect((await lab.saved()).at(-1)?.text).toBe('Hello, Ada\n');
});

/** Asks when it is run for the second time. */
const OWN = [
  'import pathlib',
  'mine = input("Mine? ") if pathlib.Path("ask").exists() else ""'
];

test("the person's own input is asked for in their cell, and keeps CaveLab waiting", async ({
  lab,
  model
}) => {
  await model.play(
    asked('print it', cell('Print it', 'print(mine)')),
    told('my own', say('There it is.'))
  );
  await lab.begin('"first"', OWN.join('\n'));
  await lab.panel.setMode('Auto');
  await lab.letGo('ask');
  await lab.document.startCell(1);
  const own = lab.document.cells.nth(1).locator('.jp-Stdin-input');
  await expect(own).toBeVisible();
  await lab.panel.say('print it');
  await lab.panel.stands('Print it', 'queued behind your cell');
  await expect(
    lab.panel.card('Print it').getByRole('textbox', { name: 'Mine?' })
  ).toHaveCount(0);
  await own.fill('my own');
  await own.press('Enter');
  await lab.panel.stands('Print it', 'done');
  await lab.journal.turnsEnded('end_turn');
});
