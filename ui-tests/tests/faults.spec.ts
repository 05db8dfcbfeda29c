import { type Lab } from '../support/lab';
import { portrait } from '../support/look';
import { freePort } from '../support/ports';
import { type IFault } from '../support/script';
import { asked, broken, cell, say } from '../support/script';
import { scriptedAddress } from '../support/settings';
import { SettingsPage } from '../support/settingspage';
import { expect, test } from '../support/test';

/** Ask, and find the notice that came. */
async function notice(lab: Lab, words: string): Promise<void> {
  await lab.begin('mine = 1');
  await lab.panel.say('hello there');
  await expect(lab.panel.transcript).toContainText(words);
  await expect(lab.panel.stopButton).toBeHidden();
}

/** Take the step to the model settings, and come back by Escape to what was there. */
async function toSettingsAndBack(lab: Lab, words: string): Promise<void> {
  const { transcript, composer } = lab.panel;
  await composer.fill('what I was about to say');
  await transcript.getByRole('button', { name: 'Model settings' }).click();
  const page = new SettingsPage(lab.panel);
  await page.shown();
  await expect(page.model).toHaveValue('openai/scripted');
  await page.leave();
  await expect(transcript).toContainText(words);
  await expect(composer).toHaveValue('what I was about to say');
}

const FAULTS: readonly {
  readonly name: string;
  readonly fault: IFault;
  readonly words: string;
  readonly next: readonly string[];
}[] = [
  {
    name: 'a wrong key',
    fault: { kind: 'key_missing' },
    words: 'The provider rejected the key.',
    next: ['Model settings']
  },
  {
    name: 'an unknown model',
    fault: { kind: 'not_found' },
    words: 'The provider does not know this model.',
    next: ['Model settings']
  },
  {
    name: 'a quota that is used up',
    fault: { kind: 'quota' },
    words: "The account's quota or credit is used up.",
    next: ['Model settings']
  },
  {
    name: 'an empty answer',
    fault: { kind: 'empty' },
    words: 'The model sent an empty answer',
    next: ['Model settings', 'Try again']
  },
  {
    name: 'an endpoint that speaks garbage',
    fault: { kind: 'html' },
    words: 'base URL',
    next: ['Model settings']
  }
];

for (const { name, fault, words, next } of FAULTS) {
  test(`${name} is told with the next step, which leads to the settings and back, and nothing that was typed is lost`, async ({
    lab,
    model
  }) => {
    await model.play(broken('hello there', fault));
    await notice(lab, words);
    await lab.journal.turnsEnded('model_error');
    for (const step of next) {
      const button = lab.panel.transcript.getByRole('button', { name: step });
      await expect(button).toHaveCount(1);
    }
    await expect(lab.panel.transcript).toContainText('hello there');
    await expect(lab.panel.root).not.toContainText('canary-key');
    await lab.page.screenshot({ path: `screenshots/fault-${fault.kind}.png` });
    await toSettingsAndBack(lab, words);
  });
}

test('an address where nobody listens is told at once, and the message goes on once the address is set right', async ({
  lab,
  model,
  settings
}) => {
  await model.play(asked('hello there', say('Here I am.')));
  await settings.choose('openai/scripted', `http://127.0.0.1:${freePort()}/v1`);
  const words = "The model's server can't be reached.";
  await notice(lab, words);
  await lab.journal.turnsEnded('model_error');
  const { transcript } = lab.panel;
  await expect(transcript).not.toContainText('Trying again');
  expect(await model.requests()).toEqual([]);
  await portrait(lab, 'fault-dead');
  await toSettingsAndBack(lab, words);

  await transcript.getByRole('button', { name: 'Model settings' }).click();
  const page = new SettingsPage(lab.panel);
  await page.shown();
  await page.address.fill(scriptedAddress());
  await page.save();
  await transcript.getByRole('button', { name: 'Try again' }).click();
  await lab.journal.turnsEnded('model_error', 'end_turn');
  await expect(transcript).toContainText('Here I am.');
  await expect(lab.panel.composer).toHaveValue('what I was about to say');
});

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
