import { type Lab } from '../support/lab';
import { type IFault } from '../support/script';
import { asked, broken, cell, say } from '../support/script';
import { expect, test } from '../support/test';

/** Ask, and find the notice that came. */
async function notice(lab: Lab, words: string): Promise<void> {
  await lab.begin('mine = 1');
  await lab.panel.say('hello there');
  await expect(lab.panel.transcript).toContainText(words);
  await expect(lab.panel.stopButton).toBeHidden();
}

const FAULTS: readonly {
  readonly name: string;
  readonly fault: IFault;
  readonly words: string;
  readonly next: string;
}[] = [
  {
    name: 'a wrong key',
    fault: { kind: 'key_missing' },
    words: 'The provider rejected the key.',
    next: 'Model settings'
  },
  {
    name: 'an unknown model',
    fault: { kind: 'not_found' },
    words: 'The provider does not know this model.',
    next: 'Model settings'
  },
  {
    name: 'a quota that is used up',
    fault: { kind: 'quota' },
    words: "The account's quota or credit is used up.",
    next: 'Model settings'
  },
  {
    name: 'an empty answer',
    fault: { kind: 'empty' },
    words: 'The model sent an empty answer',
    next: 'Try again'
  },
  {
    name: 'an endpoint that speaks garbage',
    fault: { kind: 'html' },
    words: 'base URL',
    next: 'Model settings'
  }
];

for (const { name, fault, words, next } of FAULTS) {
  test(`${name} is told with the next step, and nothing that was typed is lost`, async ({
    lab,
    model
  }) => {
    await model.play(broken('hello there', fault));
    await notice(lab, words);
    const button = lab.panel.transcript.getByRole('button', { name: next });
    await expect(button.first()).toBeVisible();
    await expect(lab.panel.transcript).toContainText('hello there');
    await expect(lab.panel.root).not.toContainText('canary-key');
    await lab.journal.turnsEnded('model_error');
    await lab.page.screenshot({ path: `screenshots/fault-${fault.kind}.png` });
  });
}

test('two tool calls at once are told to the model and shown, and nothing runs', async ({
  lab,
  model
}) => {
  await model.play(
    asked('two at once', cell('One', 'a = 1'), cell('Two', 'b = 2')),
    {
      name: 'corrected',
      when: { last: ['one'], role: 'user' },
      answer: [say('Sorry.')]
    }
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('two at once');
  await expect(lab.panel.transcript).toContainText('Sorry.');
  await lab.journal.turnsEnded('end_turn');
  expect((await lab.journal.all('action.refused')).map(e => e.code)).toEqual([
    'two_actions'
  ]);
  expect(await lab.journal.all('run.intended')).toHaveLength(0);
  expect((await lab.saved()).map(one => one.id)).toEqual(['mine-0']);
});
