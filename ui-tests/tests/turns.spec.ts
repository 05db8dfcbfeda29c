import { asked, cell, gate, say, told } from '../support/script';
import { expect, test } from '../support/test';

/** A cell that takes a few seconds to be written, so that it can be watched. */
const LINES = Array.from({ length: 12 }, (_, at) => `step_${at} = ${at}`);

test('words and code appear as they are written, and the notebook holds none of it before it may run', async ({
  lab,
  model
}) => {
  const writing = asked(
    'write it',
    say('I begin. '),
    gate('words'),
    cell('Twelve steps', ...LINES)
  );
  await model.play({ ...writing, tokens_per_second: 12 });
  await lab.begin('mine = 1');
  await lab.panel.say('write it');
  await expect(lab.panel.transcript).toContainText('I begin.');
  await model.release('words');
  await expect(lab.panel.transcript).toContainText('step_0 = 0');
  expect(await lab.journal.all('run.proposed')).toEqual([]);
  await lab.panel.proposed('Twelve steps');
  expect((await lab.saved()).map(one => one.source)).toEqual(['mine = 1']);
  await lab.panel.stopButton.click();
  await lab.journal.turnsEnded('cancelled');
  expect((await lab.saved()).map(one => one.source)).toEqual(['mine = 1']);
  expect(await lab.journal.runStatuses()).toEqual(['not_run']);
});

test('the second turn still knows the first, its cell and what came out', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make the first', cell('Make it', 'first = 6 * 7', 'first')),
    told('42', say('The first is made.')),
    {
      name: 'the second turn',
      when: {
        role: 'user',
        last: ['and the second'],
        request: ['make the first', '42', 'is made'],
        code: ['first = 6 * 7']
      },
      answer: [say('I remember the first.')]
    }
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('make the first');
  await lab.journal.turnsEnded('end_turn');
  await lab.panel.say('and the second');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(lab.panel.transcript).toContainText('I remember the first.');
  const [, made, ...more] = await lab.saved();
  expect(made.source).toBe('first = 6 * 7\nfirst');
  expect(more).toEqual([]);
});
