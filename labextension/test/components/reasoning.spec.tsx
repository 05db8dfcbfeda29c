import { act, fireEvent, screen } from '@testing-library/react';

import { doing, type Stage, staged } from '../support/panel';

const LONG = Array.from(
  { length: 2_500 },
  (_, at) => `Thought ${at}, which is a line of it.`
).join('\n');

function play(text: string): Stage {
  return staged(stream => stream.make('reasoning.delta', { text }));
}

const details = () =>
  document.querySelector<HTMLDetailsElement>('.jp-CaveLab-reasoning')!;
const summary = () => details().querySelector('summary')!;
const thoughts = () => screen.queryByRole('group', { name: 'Reasoning' });

/** The browser says that something was unfolded a moment after it was. */
function toggle(): void {
  act(() => {
    details().open = !details().open;
    fireEvent(details(), new Event('toggle'));
  });
}

describe('reasoning', () => {
  it('is folded while it streams, with its last line beside its name', () => {
    play('First this.\nThen that.\n');
    expect(details().open).toBe(false);
    expect(summary().textContent).toBe('Reasoning …Then that.');
    expect(thoughts()).toBeNull();
  });

  it('reads its last line out to nobody, as it changes all the time', () => {
    play('Hm');
    const line = summary().querySelector('.jp-CaveLab-lastLine')!;
    expect(line.getAttribute('aria-hidden')).toBe('true');
  });

  it('is only named once the answer has begun', () => {
    const stage = play('Hm');
    stage.stream.make('text.delta');
    stage.tell();
    expect(summary().textContent).toBe('Reasoning');
  });

  it('is shown as it was thought, not as markdown', () => {
    play('# a <b>c</b>\n`d`');
    toggle();
    expect(thoughts()!.textContent).toBe('# a <b>c</b>\n`d`');
    expect(thoughts()!.childElementCount).toBe(0);
  });

  it('streams on while it is open', () => {
    const stage = play('Hm');
    toggle();
    stage.stream.make('reasoning.delta', { text: ', yes' });
    stage.tell();
    expect(thoughts()!.textContent).toBe('Hm, yes');
    expect(details().open).toBe(true);
  });

  it('stays open when the answer begins, and after the settings were looked at', async () => {
    const stage = play('Hm');
    toggle();
    stage.stream.make('text.delta');
    stage.tell();
    expect(details().open).toBe(true);
    await doing(() => stage.panel.setView('settings'));
    await doing(() => stage.panel.setView('thread'));
    expect(thoughts()!.textContent).toBe('Hm');
    toggle();
    await doing(() => stage.panel.setView('settings'));
    await doing(() => stage.panel.setView('thread'));
    expect(details().open).toBe(false);
  });

  it('that is long shows its end, from the beginning of a line, and all of it when asked', () => {
    const stage = play(LONG);
    toggle();
    expect(thoughts()!.textContent).toMatch(/^Thought \d+, /);
    expect(thoughts()!.textContent!.length).toBeLessThanOrEqual(20_000);
    expect(thoughts()!.textContent).toContain('Thought 2499');
    stage.stream.make('text.delta');
    stage.tell();
    fireEvent.click(
      screen.getByRole('button', { name: /^Show all of it: \d\d,\d{3} more/ })
    );
    expect(thoughts()!.textContent).toBe(LONG);
    expect(document.activeElement).toBe(thoughts());
  });
});
