import { type Browser } from '@playwright/test';

import { Lab } from '../support/lab';
import { asked, cell, say, told, waitsFor } from '../support/script';
import { OwnServer } from '../support/server';
import { expect, test as base } from '../support/test';

const test = base.extend<{ readonly server: OwnServer }>({
  // Playwright reads what a fixture needs from the braces.
  // eslint-disable-next-line no-empty-pattern
  server: async ({}, provide) => {
    const server = new OwnServer();
    await server.start();
    await provide(server);
    await server.stop();
    if (!process.env.CAVE_LAB_UI_KEEP) {
      server.home.remove();
    }
  }
});

const FOLDER = 'restarted';

async function labAt(browser: Browser, server: OwnServer): Promise<Lab> {
  const { home } = server;
  const context = await browser.newContext({ storageState: home.cookies });
  return new Lab(await context.newPage(), home, FOLDER);
}

test('cells, outputs and the thread are there after the server was restarted', async ({
  model,
  browser,
  server
}) => {
  await model.play(
    asked(
      'double it',
      say('I double it.'),
      cell('Double it', 'twice = 2 * 21', 'twice')
    ),
    told('42', say('Twice 21 is 42.')),
    asked(
      ['and now', 'The kernel lost its memory'],
      say('The kernel is a new one.')
    )
  );
  const before = await labAt(browser, server);
  await before.begin('start = 21');
  await before.panel.setMode('Auto');
  await before.panel.say('double it');
  await before.journal.turnsEnded('end_turn');
  await expect(before.document.cells.nth(1)).toContainText('42');
  const saved = await before.saved();
  await before.page.context().close();

  await server.stop();
  await server.start();
  const after = await labAt(browser, server);
  await after.comeBack();
  await expect(after.panel.transcript).toContainText('double it');
  await expect(after.panel.transcript).toContainText('I double it.');
  await expect(after.panel.transcript).toContainText('Twice 21 is 42.');
  await expect(after.panel.card('Double it')).toContainText('42');
  await expect(after.document.cells).toHaveCount(2);
  await expect(after.document.cells.nth(1)).toContainText('42');
  await expect(after.panel.root).toContainText('2 variables are gone.');
  await after.page.screenshot({ path: 'screenshots/restarted.png' });
  await after.panel.say('and now');
  await after.journal.turnsEnded('end_turn', 'end_turn');
  await after.page.screenshot({ path: 'screenshots/restarted-again.png' });

  const again = await after.saved();
  const facts = ({
    id,
    source,
    text,
    count,
    mark
  }: (typeof saved)[number]) => ({
    id,
    source,
    text,
    count,
    mark
  });
  expect(again.map(facts)).toEqual(saved.map(facts));
  expect(again[1].mark).toMatchObject({ status: 'ok' });
  expect(await after.journal.threads()).toHaveLength(1);
  await after.page.context().close();
});

test('after the server was killed in a run, nobody claims to know how it ended', async ({
  model,
  browser,
  server
}) => {
  const lines = ['print("one", flush=True)', ...waitsFor('never')];
  await model.play(asked('wait', cell('Wait for ever', ...lines)));
  const before = await labAt(browser, server);
  await before.begin('start = 21');
  await before.panel.setMode('Auto');
  await before.panel.say('wait');
  await expect(before.panel.card('Wait for ever')).toContainText('one');
  await server.crash();
  await expect(before.panel.root).toContainText(
    'The connection to the server is lost.'
  );
  await before.page.screenshot({ path: 'screenshots/server-gone.png' });
  await before.page.context().close();

  await server.start();
  const after = await labAt(browser, server);
  await after.comeBack();
  await after.panel.stands('Wait for ever', 'unknown');
  await expect(after.panel.transcript).toContainText(
    'The server went away in this turn.'
  );
  await after.page.screenshot({ path: 'screenshots/server-killed.png' });
  await after.journal.turnsEnded('interrupted');
  expect(await after.journal.runStatuses()).toEqual(['unknown']);

  await expect(after.document.cells).toHaveCount(2);
  const [, made] = await after.saved();
  expect(made.source).toBe(lines.join('\n'));
  expect(made.text).toBe('one\n');
  expect(made.mark).toMatchObject({ status: 'unknown' });
  await after.page.context().close();
});
