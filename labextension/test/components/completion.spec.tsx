import { fireEvent, screen } from '@testing-library/react';

import type { VariablesResult } from '../../src/protocol/generated';
import { doing, Stage } from '../support/panel';
import { DF, holding, variable } from '../support/variables';

const MONTHLY = variable('monthly', { type: 'Series', shape: [12] });
const REVENUE = variable('revenue', { type: 'float' });

function play(seen: VariablesResult = holding(DF, MONTHLY, REVENUE)): Stage {
  const stage = new Stage();
  stage.stream.begin();
  stage.stream.make('turn.ended');
  stage.open();
  stage.client.answers['variables.look'] = seen;
  return stage.show();
}

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
/** Type so that the text is this, with the caret at its end or at `caret`. */
const type = (value: string, caret = value.length) =>
  doing(() => {
    fireEvent.change(field(), {
      target: { value, selectionStart: caret, selectionEnd: caret }
    });
  });
const press = (key: string, more: object = {}) =>
  doing(() => fireEvent.keyDown(field(), { key, ...more }));
const list = () => screen.queryByRole('listbox', { name: 'Variables' });
const options = () =>
  [...(list()?.children ?? [])].map(option => option.textContent);
const marked = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')
    ?.textContent ?? null;
/** What is said of the list, where it is seen. */
const note = () => document.querySelector('.jp-CaveLab-offerNote')?.textContent;
const sent = (stage: Stage) =>
  stage.client.of('message.send').map(({ content }) => content);

describe('the list of variables behind @', () => {
  it('opens where a word begins with it, with the type and size of each', async () => {
    const stage = play();
    await type('plot @');
    expect(options()).toEqual([
      'dfDataFrame 90 × 3',
      'monthlySeries 12',
      'revenuefloat'
    ]);
    expect(stage.client.of('variables.look')).toHaveLength(1);
    await type('jo@');
    expect(list()).toBeNull();
  });

  it('is tied to the field, and marks its first option', async () => {
    play();
    await type('@');
    expect(field().getAttribute('aria-controls')).toBe(list()!.id);
    expect(field().getAttribute('aria-autocomplete')).toBe('list');
    expect(marked()).toBe('dfDataFrame 90 × 3');
    expect(list()!.querySelector('[aria-selected="true"]')!.textContent).toBe(
      'dfDataFrame 90 × 3'
    );
    await type('x');
    expect(field().hasAttribute('aria-controls')).toBe(false);
    expect(field().hasAttribute('aria-activedescendant')).toBe(false);
  });

  it('is filtered as one types, without another look', async () => {
    const stage = play();
    await type('@');
    await type('@M');
    expect(options()).toEqual(['monthlySeries 12']);
    await type('@Mx');
    expect(list()).toBeNull();
    expect(stage.client.of('variables.look')).toHaveLength(1);
  });

  it.each(['Enter', 'Tab'])('takes the marked one by %s', async key => {
    const stage = play();
    await type('plot @ by month', 6);
    await press('ArrowDown');
    await press('ArrowDown');
    await press('ArrowUp');
    expect(marked()).toBe('monthlySeries 12');
    await press(key);
    expect(field().value).toBe('plot @monthly by month');
    expect(field().selectionStart).toBe('plot @monthly'.length);
    expect(list()).toBeNull();
    expect(sent(stage)).toEqual([]);
  });

  it('goes round at its ends', async () => {
    play();
    await type('@');
    await press('ArrowUp');
    expect(marked()).toBe('revenuefloat');
    await press('ArrowDown');
    expect(marked()).toBe('dfDataFrame 90 × 3');
  });

  it('takes one by a click, and leaves the focus in the field', async () => {
    play();
    field().focus();
    await type('@');
    const option = screen.getByText('monthly');
    expect(fireEvent.mouseDown(option)).toBe(false);
    await doing(() => {
      fireEvent.mouseUp(option);
      fireEvent.click(option);
    });
    expect(field().value).toBe('@monthly');
    expect(document.activeElement).toBe(field());
  });

  it('sends by the next Enter, with the variable as a mention', async () => {
    const stage = play();
    await type('plot @d');
    await press('Enter');
    await type('plot @df, please');
    await press('Enter');
    expect(sent(stage)).toEqual([
      [
        { type: 'text', text: 'plot ' },
        { type: 'mention', kind: 'variable', name: 'df' },
        { type: 'text', text: ', please' }
      ]
    ]);
  });

  it('is closed once the whole name stands there, so that Enter sends', async () => {
    const stage = play();
    await type('plot @df');
    expect(list()).toBeNull();
    await press('Enter');
    expect(sent(stage)).toHaveLength(1);
  });

  it('closes by Esc first; only the next one stops the turn', async () => {
    const stage = play();
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    stage.tell();
    await type('@');
    await press('Escape');
    expect(list()).toBeNull();
    expect(field().value).toBe('@');
    expect(stage.client.of('turn.stop')).toEqual([]);
    await press('Escape');
    expect(stage.client.of('turn.stop')).toHaveLength(1);
  });

  it('leaves Esc to the turn when nothing is offered', async () => {
    const stage = play();
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    stage.tell();
    await type('@nothing');
    await press('Escape');
    expect(stage.client.of('turn.stop')).toHaveLength(1);
  });

  it.each([{ isComposing: true }, { keyCode: 229 }])(
    'leaves Enter, Esc and arrows to an input method: %j',
    async more => {
      const stage = play();
      await type('@');
      await press('ArrowDown', more);
      await press('Enter', more);
      await press('Escape', more);
      expect(marked()).toBe('dfDataFrame 90 × 3');
      expect(field().value).toBe('@');
      expect(sent(stage)).toEqual([]);
    }
  );

  it('begins a line by Shift+Enter, open or not', async () => {
    play();
    await type('@');
    await press('Enter', { shiftKey: true });
    expect(field().value).toBe('@');
  });

  it('closes when the caret leaves the name, and is not opened by the caret alone', async () => {
    play();
    await type('a @d');
    expect(list()).not.toBeNull();
    field().focus();
    const go = (caret: number) =>
      doing(() => {
        field().setSelectionRange(caret, caret);
        fireEvent.keyUp(field(), { key: 'ArrowLeft' });
      });
    await go(1);
    expect(list()).toBeNull();
    await go(4);
    expect(list()).toBeNull();
  });

  it('closes when the field loses the focus', async () => {
    play();
    await type('@');
    await doing(() => fireEvent.blur(field()));
    expect(list()).toBeNull();
  });

  it('is not opened by a message that comes back', async () => {
    const stage = play();
    stage.stream.make('turn.started', {
      turn_id: 'turn-2',
      content: [
        { type: 'text', text: 'plot ' },
        { type: 'mention', kind: 'variable', name: 'd' }
      ]
    });
    stage.stream.make('turn.ended', { turn_id: 'turn-2' });
    stage.tell();
    await press('ArrowUp');
    expect(field().value).toBe('plot @d');
    expect(list()).toBeNull();
  });

  it('is what the kernel holds by now, when the kernel has worked meanwhile', async () => {
    const stage = play();
    await type('@');
    stage.client.answers['variables.look'] = holding(DF, variable('fresh'));
    for (const state of ['busy', 'idle'] as const) {
      await doing(() => stage.kernel({ state }));
    }
    expect(options()).toEqual(['dfDataFrame 90 × 3', 'freshint']);
  });

  it('says why it is empty, and leaves Enter to the field then', async () => {
    const stage = play({ ...holding(), unavailable: 'There is no kernel.' });
    await type('@');
    expect(note()).toBe('There is no kernel.');
    expect(list()).toBeNull();
    await press('Enter');
    expect(sent(stage)).toEqual([[{ type: 'text', text: '@' }]]);
  });

  it('is told by a live region that is there before its words', async () => {
    play();
    const region = document.querySelector(
      '.jp-CaveLab-fieldFrame > [aria-live="polite"]'
    )!;
    expect(region.textContent).toBe('');
    await type('@');
    expect(region.textContent).toBe('3 variables');
    await type('@mon');
    expect(region.textContent).toBe('1 variable');
    await press('Escape');
    expect(region.isConnected).toBe(true);
    expect(region.textContent).toBe('');
  });

  describe('of a kernel that holds more than are told in detail', () => {
    const many = () => ({ ...holding(DF, MONTHLY, REVENUE), total: 1_234 });

    it('says so, and that another name can be typed', async () => {
      play(many());
      await type('@');
      expect(note()).toBe(
        'Only the first 3 of 1,234 variables are listed here. Another name can be typed.'
      );
      expect(options()).toHaveLength(3);
    });

    it('says so where none of those listed is meant, and leaves Enter to the field', async () => {
      const stage = play(many());
      await type('plot @zeta');
      expect(note()).toMatch(/^Only the first/);
      expect(list()).toBeNull();
      await press('Enter');
      expect(sent(stage)).toEqual([
        [
          { type: 'text', text: 'plot ' },
          { type: 'mention', kind: 'variable', name: 'zeta' }
        ]
      ]);
    });

    it('is closed once a whole name stands there', async () => {
      play(many());
      await type('@df');
      expect(note()).toBeUndefined();
    });
  });

  it('draws no more than can be looked through, and counts the rest', async () => {
    const all = Array.from({ length: 300 }, (_, at) => variable(`v${at}`));
    play(holding(...all));
    await type('@');
    expect(options()).toHaveLength(100);
    expect(note()).toBe('200 more');
    await press('ArrowUp');
    expect(marked()).toBe('v299int');
  });
});
