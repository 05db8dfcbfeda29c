import { fireEvent, render, screen, within } from '@testing-library/react';
import React from 'react';

import { Meter } from '../../src/components/meter/meter';
import type { Budgets, ServerStatus } from '../../src/protocol/generated';
import type { Stream } from '../support/events';
import { doing, Stage, STATUS } from '../support/panel';

const NONE = { runs: null, tokens: null, cost: null, seconds: null };
const UNBOUND: Budgets = { turn: NONE, thread: NONE };

/** The meter of a thread, on a server that says this of itself. */
async function play(
  make: (stream: Stream) => unknown,
  status: Partial<ServerStatus> = {}
): Promise<Stage> {
  const stage = new Stage();
  const told = {
    ...STATUS,
    budgets: UNBOUND,
    budget_caps: UNBOUND,
    ...status
  };
  stage.api.status = () => Promise.resolve(told);
  stage.stream.begin();
  make(stage.stream);
  stage.open();
  await doing(() => stage.panel.server.load());
  render(stage.set(<Meter />));
  return stage;
}

/** A model call and what it used. */
function call(
  stream: Stream,
  number: number,
  used: Parameters<typeof stream.make<'usage'>>[1] = {},
  model = 'some/model'
): void {
  stream.make('context.sent', { call: number, model });
  stream.make('usage', { call: number, ...used });
}

const button = () => document.querySelector('button')!;
const dialog = () => screen.getByRole('dialog', { name: 'Usage by turn' });
const open = () => fireEvent.click(button());
const texts = (row: Element) => [...row.children].map(cell => cell.textContent);
const rows = () => [...dialog().querySelectorAll('tr')].map(texts);
const paragraphs = () =>
  [...dialog().querySelectorAll('p')].map(line => line.textContent);

describe('the meter', () => {
  it('is not there before anything was used', async () => {
    await play(() => undefined);
    expect(document.querySelector('button')).toBeNull();
  });

  it.each([
    ['110 tokens · $0.25', {}],
    ['1.3k tokens · $0.04', { prompt: 1_200, completion: 60, cost: 0.04 }],
    ['110 tokens · under $0.01', { cost: 0.0004 }],
    ['110 tokens · price unknown', { cost: null }],
    ['about 110 tokens · $0.25', { estimated: true }],
    ['1 token · $0.25', { prompt: 1, completion: 0 }]
  ])('says %j', async (words, used) => {
    await play(stream => call(stream, 1, used));
    expect(button().textContent).toBe(words);
    expect(button().title).toMatch(`${words}: `);
  });

  it('says that some of the money is unknown', async () => {
    await play(stream => {
      call(stream, 1, { cost: 0.04 });
      call(stream, 2, { cost: null });
    });
    expect(button().textContent).toBe('220 tokens · $0.04 and unknown');
  });

  it('is quiet about the money of the scripted tour', async () => {
    await play(stream => call(stream, 1, { cost: null }, 'cave-lab/tour'));
    expect(button().textContent).toBe('110 tokens');
    open();
    expect(dialog().textContent).not.toMatch(/\$|unknown|[Pp]rice/);
  });
});

describe('the breakdown of what was used', () => {
  it('has the numbers of each turn below its name, to the token, and those of all', async () => {
    await play(stream => {
      call(stream, 1, { prompt: 12_345, completion: 678, cost: 0.042137 });
      stream.send('run-1').make('run.ended', { run_id: 'run-1' });
    });
    open();
    const numbers = ['12,345', '678', '50', '$0.042137', '3.5 s', '1'];
    expect(rows()).toEqual([
      ['Prompt', 'Answer', 'Cached', 'Cost', 'Time', 'Runs'],
      ['Go on.'],
      numbers,
      ['In all'],
      numbers
    ]);
  });

  it('has no column that says nothing', async () => {
    await play(stream =>
      call(stream, 1, { cached: 0, cost: null, price_source: null })
    );
    open();
    const numbers = ['100', '10', '2.0 s'];
    expect(rows()).toEqual([
      ['Prompt', 'Answer', 'Time'],
      ['Go on.'],
      numbers,
      ['In all'],
      numbers
    ]);
    expect(paragraphs()).toEqual(['The price of 1 call is not known.']);
  });

  it('unfolds a turn into its model calls', async () => {
    await play(stream => {
      call(stream, 1, { estimated: true });
      stream.make('context.sent', { call: 2, format: 'fences' });
      call(stream, 3, { cost: null });
    });
    open();
    const unfold = screen.getByRole('button', { name: 'Go on.' });
    expect(unfold.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(unfold);
    expect(unfold.getAttribute('aria-expanded')).toBe('true');
    expect(rows().slice(3, 9)).toEqual([
      ['Call 1: some/model, by tool calls, counted here'],
      ['≈100', '≈10', '50', '≈$0.25', '2.0 s'],
      ['Call 2: some/model, by fenced code'],
      ['no usage'],
      ['Call 3: some/model, by tool calls'],
      ['100', '10', '50', 'unknown', '2.0 s']
    ]);
    fireEvent.click(unfold);
    expect(rows()).toHaveLength(5);
  });

  it('names a turn that called no model, and has nothing to unfold in it', async () => {
    await play(stream => {
      call(stream, 1);
      stream.make('turn.started', {
        turn_id: 'turn-2',
        content: [{ type: 'cell', code: 'x', purpose: '' }]
      });
    });
    open();
    expect(rows()[3]).toEqual(['Run the cell from the answer']);
    expect(rows()[4][3]).toBe('–');
    expect(within(dialog()).getAllByRole('button')).toHaveLength(1);
  });

  it('says where the prices come from and what is not known', async () => {
    await play(stream => {
      call(stream, 1, { price_source: 'the list' });
      call(stream, 2, { price_source: 'the provider', estimated: true });
      call(stream, 3, { cost: null, price_source: null });
    });
    open();
    expect(paragraphs()).toEqual([
      'Prices come from the list and the provider. ' +
        'The price of 1 call is not known. ' +
        '≈ was counted here: the provider did not say.'
    ]);
  });

  it('closes by Escape and gives the focus back', async () => {
    await play(stream => call(stream, 1));
    button().focus();
    open();
    expect(dialog().contains(document.activeElement)).toBe(true);
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button());
  });

  it('can be scrolled by keys in a box of its own', async () => {
    await play(stream => call(stream, 1));
    open();
    const box = within(dialog()).getByRole('group', { name: 'Usage by turn' });
    expect([box.tabIndex, box.querySelectorAll('table').length]).toEqual([
      0, 1
    ]);
  });
});

describe('the budgets below it', () => {
  const budgets = {
    turn: { ...NONE, runs: 20, tokens: 400_000 },
    thread: { ...NONE, cost: 2, seconds: 3_600 }
  };
  const caps = { turn: { ...NONE, runs: 12 }, thread: NONE };

  it('say how much of what is bounded is used, by the stricter bound', async () => {
    await play(
      stream => {
        call(stream, 1, { prompt: 41_000, completion: 0 });
        stream.send('run-1');
      },
      { budgets, budget_caps: caps }
    );
    open();
    expect(paragraphs().slice(-2)).toEqual([
      'Turn: 1 of 12 runs, 41,000 of 400,000 tokens',
      'Thread: $0.25 of $2.00, 2.0 s of 1:00:00'
    ]);
  });

  it('count the last turn, and the thread from where its budget was extended', async () => {
    await play(
      stream => {
        call(stream, 1);
        stream.make('thread.changed', { budget_extended: true });
        stream.make('turn.started', { turn_id: 'turn-2' });
        const there = { turn_id: 'turn-2', call: 1 };
        stream.make('context.sent', there);
        stream.make('usage', { ...there, cost: 0.5, seconds: 1 });
      },
      { budgets, budget_caps: caps }
    );
    open();
    expect(paragraphs().slice(-2)).toEqual([
      'Turn: 0 of 12 runs, 110 of 400,000 tokens',
      'Thread, since its budget began anew: $0.50 of $2.00, 1.0 s of 1:00:00'
    ]);
  });

  it('tell small money to the last digit', async () => {
    const thread = { ...NONE, cost: 0.005 };
    await play(stream => call(stream, 1, { cost: 0.0012 }), {
      budgets: { turn: NONE, thread }
    });
    open();
    expect(paragraphs().at(-1)).toBe('Thread: $0.0012 of $0.005');
  });

  it('are not told where nothing is bounded', async () => {
    await play(stream => call(stream, 1));
    open();
    expect(dialog().textContent).not.toMatch(/Turn:|Thread:/);
  });

  it('know the runs that this thread may have in a turn', async () => {
    await play(stream => {
      stream.make('thread.changed', { max_runs: 3 });
      call(stream, 1);
    });
    open();
    expect(paragraphs().at(-1)).toBe('Turn: 0 of 3 runs');
  });
});
