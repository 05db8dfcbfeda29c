import { setWidth } from '../support/look';
import { asked, gate, say } from '../support/script';
import { expect, test } from '../support/test';

const LONG = Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join('\n\n');

test('Send stays where it is in a narrow panel, beside model and meter in a row of their own, and the end of the transcript in view at Stop', async ({
  lab,
  model
}) => {
  await model.play(asked('tell me', say(LONG), gate('streaming'), say('end')));
  await lab.begin('mine = 1');
  await setWidth(lab, 280);
  const place = (name: string) =>
    lab.panel.root.getByRole('button', { name, exact: true }).boundingBox();
  const before = await place('Send');
  await lab.panel.say('tell me');
  await expect(lab.panel.transcript).toContainText('Line 59.');
  await lab.panel.composer.fill('one\ntwo\nthree\nfour');
  await expect(lab.panel.transcript.getByText('Line 59.')).toBeInViewport();
  await lab.panel.composer.fill('');
  await lab.panel.stopButton.click();
  await lab.journal.turnsEnded('cancelled');
  const meter = lab.panel.root.getByTitle('tokens and money of this thread');
  await expect(meter).toContainText('price unknown');
  await expect(
    lab.panel.transcript.getByText('You stopped this turn.')
  ).toBeInViewport({ ratio: 1 });
  expect(await place('Send')).toEqual(before);
  const [top, below] = [
    await lab.panel.root.getByLabel('Mode', { exact: true }).boundingBox(),
    await meter.boundingBox()
  ];
  expect(below!.y).toBeGreaterThanOrEqual(top!.y + top!.height);
  await lab.page.screenshot({ path: 'screenshots/footer-narrow.png' });
});
