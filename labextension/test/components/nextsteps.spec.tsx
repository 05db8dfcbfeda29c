import { fireEvent, screen } from '@testing-library/react';

import type { NextStep } from '../../src/protocol/generated';
import type { Stream } from '../support/events';
import { doing, staged } from '../support/panel';

const SPENT = 'This thread has used its 400,000 tokens.';
const GO_ON = 'Go on with another budget';

/** A turn that ended because the thread's budget is used up. */
function spend(stream: Stream): void {
  stream.make('notice', {
    turn_id: 'turn-1',
    level: 'info',
    code: 'max_tokens',
    text: SPENT,
    actions: ['extend_budget']
  });
  stream.make('turn.ended', { stop_reason: 'max_tokens', suggestions: [] });
}

const buttons = () =>
  [...document.querySelectorAll('.jp-CaveLab-turn button')].map(
    button => button.textContent
  );

describe('a thread whose budget is used up', () => {
  it('says so once, and offers one way to go on', () => {
    staged(spend);
    expect(screen.getByText(SPENT)).toBeTruthy();
    expect(document.querySelector('.jp-CaveLab-stopReason')).toBeNull();
    expect(buttons()).toEqual([GO_ON]);
  });

  it('goes on after its budget was extended, in this order', async () => {
    const stage = staged(spend);
    await doing(() => fireEvent.click(screen.getByText(GO_ON)));
    expect(stage.client.sent.slice(-2)).toEqual([
      { type: 'thread.change', thread_id: 'th-1', extend_budget: true },
      {
        type: 'message.send',
        thread_id: 'th-1',
        content: [{ type: 'text', text: 'Go on.' }],
        anchor: 'mine'
      }
    ]);
  });

  it('goes on once by a double click', async () => {
    const stage = staged(spend);
    const button = screen.getByText(GO_ON);
    await doing(() => {
      fireEvent.click(button);
      fireEvent.click(button);
    });
    expect(stage.client.of('thread.change')).toHaveLength(1);
    expect(stage.client.of('message.send')).toHaveLength(1);
  });

  it('does not go on in another thread that is looked at by then', async () => {
    const stage = staged(spend);
    let extend: () => void = () => undefined;
    stage.client.answers['thread.change'] = new Promise(resolve => {
      extend = () => resolve(null);
    });
    await doing(() => fireEvent.click(screen.getByText(GO_ON)));
    await doing(() => stage.panel.shown.begin());
    await doing(extend);
    expect(stage.client.of('thread.change')).toHaveLength(1);
    expect(stage.client.of('message.send')).toEqual([]);
  });

  it('sends nothing if its budget is not extended, and says why', async () => {
    const stage = staged(spend);
    stage.client.answers['thread.change'] = 'Only its owner may do this.';
    await doing(() => fireEvent.click(screen.getByText(GO_ON)));
    expect(stage.client.of('message.send')).toEqual([]);
    expect(screen.getByRole('alert').textContent).toBe(
      'Only its owner may do this.'
    );
  });
});

describe('a turn whose own budget is used up', () => {
  it('says so once where a notice has said it', () => {
    const text = 'This turn has used its 12 runs.';
    staged(stream => {
      stream.make('notice', { turn_id: 'turn-1', code: 'max_runs', text });
      stream.make('turn.ended', { stop_reason: 'max_runs', suggestions: [] });
    });
    expect(screen.getByText(text)).toBeTruthy();
    expect(document.querySelector('.jp-CaveLab-stopReason')).toBeNull();
    expect(buttons()).toEqual(['Go on']);
  });

  it.each(['max_runs', 'max_tokens', 'max_cost', 'max_time'] as const)(
    'says so and goes on by a click: %s',
    async stop_reason => {
      const stage = staged(s =>
        s.make('turn.ended', { stop_reason, suggestions: [] })
      );
      expect(screen.getByText(/^Stopped: this turn has /)).toBeTruthy();
      await doing(() => fireEvent.click(screen.getByText('Go on')));
      expect(stage.client.of('message.send')[0].content).toEqual([
        { type: 'text', text: 'Go on.' }
      ]);
      expect(stage.client.of('thread.change')).toEqual([]);
    }
  );
});

describe('a notice in a turn that goes on', () => {
  it.each([
    ['format_learned', 'This model has no tools: it writes cells as code.'],
    ['answer_cut', 'The answer was cut off and goes on.']
  ])('is a sentence and nothing to do: %s', (code, text) => {
    staged(stream => {
      const actions: NextStep[] = [];
      stream.make('notice', { turn_id: 'turn-1', code, text, actions });
      stream.make('text.delta');
      stream.make('turn.ended', { suggestions: [] });
    });
    const row = screen.getByText(text).parentElement!;
    expect(row.dataset.level).toBe('info');
    expect(buttons()).toEqual([]);
  });
});

describe('an action that could not be used', () => {
  it.each(['call_as_text', 'wrong_language'] as const)(
    'is told where it was asked for: %s',
    code => {
      staged(s => s.make('action.refused', { code, text: 'It wrote sh.' }));
      expect(screen.getByText('Not run: It wrote sh.')).toBeTruthy();
    }
  );

  it('is told in words for the person where those of the model would be', () => {
    const code = 'looks_in_a_row';
    staged(s => s.make('action.refused', { code, text: 'You have looked.' }));
    expect(screen.getByText(/^The model looked again and again/)).toBeTruthy();
    expect(screen.queryByText(/You have looked/)).toBeNull();
  });

  it('is no longer being written once it was refused', () => {
    const stage = staged(stream => stream.make('action.delta'));
    const card = () => document.querySelector('.jp-CaveLab-card')!;
    expect(card().textContent).toContain('writing');
    stage.stream.make('action.refused', {
      code: 'wrong_language',
      text: 'It wrote sh.'
    });
    stage.stream.make('run.ended', {
      status: 'not_run',
      duration_seconds: null
    });
    stage.tell();
    expect(card().textContent).not.toContain('writing');
    expect(card().textContent).toContain('not run');
    expect(screen.getByText('Not run: It wrote sh.')).toBeTruthy();
    expect(stage.panel.outlook.state!.usage.runs).toBe(0);
  });

  it('leaves its card as not run when the model is asked again, though nothing else was said of it', () => {
    const stage = staged(stream => {
      stream.make('context.sent');
      stream.make('action.delta');
      stream.make('action.refused', { code: 'call_as_text' });
    });
    stage.stream.make('context.sent', { call: 2 });
    stage.tell();
    const card = document.querySelector('.jp-CaveLab-card')!;
    expect(card.textContent).toContain('not run');
  });
});
