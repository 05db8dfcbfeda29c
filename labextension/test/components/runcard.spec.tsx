import {
  act,
  cleanup,
  fireEvent,
  screen,
  waitFor
} from '@testing-library/react';

import type { Stream } from '../support/events';
import { doing, Stage } from '../support/panel';

function play(make: (stream: Stream) => unknown, kernel: object = {}): Stage {
  const stage = new Stage();
  stage.stream.begin();
  make(stage.stream);
  return stage.open().kernel(kernel).show();
}

const card = () => document.querySelector('.jp-CaveLab-card')!;
const icon = () => card().querySelector('svg.jp-CaveLab-stateIcon path')!;
const run = (name = 'run-1') => ({ run_id: name });

const STATES: [string, (stream: Stream) => unknown, string, object?][] = [
  ['writing', s => s.make('action.delta'), 'writing'],
  [
    'waiting',
    s => (s.make('run.proposed'), s.make('approval.requested')),
    'waiting for you'
  ],
  [
    'queued',
    s => (
      s.make('run.proposed'),
      s.make('approval.requested'),
      s.make('approval.closed')
    ),
    'queued behind your cell',
    { state: 'busy', whose: 'theirs' }
  ],
  ['running', s => (s.send('run-1'), s.make('run.started')), 'running'],
  [
    'needs_input',
    s => (s.send('run-1'), s.make('run.started'), s.make('stdin.requested')),
    'needs input'
  ],
  ['done', s => (s.send('run-1'), s.make('run.ended', run())), 'done 1.5 s'],
  ['failed', s => s.send('run-1').fail('run-1'), 'failed 1.5 s'],
  [
    'interrupted',
    s => s.send('run-1').fail('run-1', { status: 'interrupted' }),
    'interrupted'
  ],
  [
    'rejected',
    s => (
      s.make('run.proposed'),
      s.make('approval.requested'),
      s.make('approval.closed', { outcome: 'rejected', reason: 'no files' }),
      s.make('run.ended', { status: 'rejected' })
    ),
    'rejected'
  ],
  [
    'not_run',
    s => (s.make('run.proposed'), s.make('run.ended', { status: 'not_run' })),
    'not run'
  ],
  [
    'kernel_lost',
    s => s.send('run-1').fail('run-1', { status: 'kernel_died' }),
    'kernel lost'
  ],
  [
    'unknown',
    s => s.send('run-1').fail('run-1', { status: 'unknown' }),
    'unknown'
  ],
  [
    'no_longer_open',
    s => (
      s.make('run.proposed'),
      s.make('approval.requested'),
      s.make('approval.closed', { outcome: 'server_restarted' }),
      s.make('run.ended', { status: 'not_run' })
    ),
    'no longer open'
  ]
];

describe('a run card', () => {
  it.each(STATES)('says in words where the run stands: %s', (...row) => {
    const [state, make, words, kernel] = row;
    play(make, kernel);
    expect(card().getAttribute('data-state')).toBe(state);
    expect(card().textContent).toContain(words);
  });

  it('has another picture for each state', () => {
    const pictures = STATES.map(([, make, , kernel]) => {
      play(make, kernel);
      const drawn = icon().getAttribute('d');
      cleanup();
      return drawn;
    });
    expect(new Set(pictures).size).toBe(STATES.length);
  });

  it('offers to ask again for what is no longer open', async () => {
    const stage = play(STATES.at(-1)![1]);
    stage.stream.make('turn.ended');
    stage.tell();
    await doing(() =>
      screen.getByRole('button', { name: 'Ask again' }).click()
    );
    expect(stage.client.of('message.send')).toMatchObject([
      { content: [{ text: 'Propose this cell again: Set x' }] }
    ]);
  });

  it('goes to its cell', async () => {
    const stage = play(s => {
      s.send('run-1');
      s.make('cell.placed', { cell_id: 'cell-run-1' });
    });
    await doing(() =>
      screen.getByRole('button', { name: 'Go to cell' }).click()
    );
    expect(stage.notebooks.done).toEqual(['go a.ipynb cell-run-1']);
  });

  it('joins attempts', () => {
    play(s => {
      s.send('bad').fail('bad').send('good', { repairs: 'bad' });
      s.make('run.ended', run('good'));
    });
    expect(
      document.querySelectorAll(
        '.jp-CaveLab-transcript > div > article > .jp-CaveLab-card'
      )
    ).toHaveLength(1);
    expect(card().textContent).toContain('2 attempts');
  });

  it('follows the end of code while it is written, until the reader touches it', () => {
    const stage = play(s => s.make('action.delta'));
    const scroller = document.querySelector('.jp-CaveLab-card .cm-scroller')!;
    let height = 500;
    Object.defineProperty(scroller, 'scrollHeight', { get: () => height });
    const grow = () => {
      height += 100;
      stage.stream.make('action.delta', { delta: '1\ny = ' });
      stage.tell();
    };
    grow();
    expect(scroller.scrollTop).toBe(600);
    fireEvent.wheel(scroller);
    scroller.scrollTop = 20;
    grow();
    expect(scroller.scrollTop).toBe(20);
  });

  it('shows a failure, in one line with its error, while its repair waits', () => {
    play(s => {
      s.send('bad').fail('bad', {
        error: { ename: 'KeyError', evalue: "'montly'" }
      });
      s.make('run.proposed', { run_id: 'good', repairs: 'bad' });
      s.make('approval.requested', { run_id: 'good' });
    });
    expect(card().getAttribute('data-state')).toBe('failed');
    expect(card().getAttribute('data-open')).toBe('false');
    expect(card().textContent).toContain("KeyError: 'montly'");
    expect(screen.getByRole('alertdialog')).toBeTruthy();
  });

  it('shows in one line what changed when it is closed', () => {
    play(s => {
      s.send('run-1');
      s.make('run.ended', {
        variables: [
          {
            name: 'monthly',
            kind: 'added',
            before: null,
            after: { type: 'Series', shape: [12], length: null }
          },
          { name: 'df', kind: 'changed', before: null, after: null }
        ]
      });
    });
    act(() => screen.getByRole('button', { name: /Set x/ }).click());
    expect(card().textContent).toContain('+monthly~df');
    expect(card().querySelector('.jp-CaveLab-code')).toBeNull();
  });

  it('says why it was rejected also when it is closed, as that of an older turn is', () => {
    play(s => {
      s.make('run.proposed');
      s.make('approval.requested');
      s.make('approval.closed', { outcome: 'rejected', reason: 'no files' });
      s.make('run.ended', { status: 'rejected' });
      s.make('turn.ended');
      s.make('turn.started', { turn_id: 'turn-2' });
    });
    expect(card().getAttribute('data-open')).toBe('false');
    expect(card().textContent).toContain('rejected: no files');
    expect(screen.getByTitle('rejected: no files')).toBeTruthy();
  });

  it('gives back the reason that was being written when its question was closed', async () => {
    const stage = play(s => {
      s.make('run.proposed');
      s.make('approval.requested');
    });
    await doing(() => screen.getByRole('button', { name: 'Reject' }).click());
    fireEvent.change(screen.getByRole('textbox', { name: /Reason/ }), {
      target: { value: 'keep my file' }
    });
    stage.stream.make('approval.closed', { outcome: 'cancelled' });
    stage.stream.make('run.ended', { status: 'not_run' });
    stage.tell();
    expect(card().textContent).toContain('was not sent: keep my file');
  });

  it('never runs a script of an output', () => {
    play(s => {
      s.send('run-1');
      s.make('output.added', {
        output: {
          output_type: 'display_data',
          data: {
            'application/javascript': 'window.ran = true',
            'text/html':
              '<b>kept</b><script>window.ran = true</script><img src="x" onerror="window.ran = true">'
          },
          metadata: {},
          display_id: null
        }
      });
    });
    const outputs = card().querySelector('.jp-CaveLab-outputs')!;
    expect(outputs.querySelector('b')!.textContent).toBe('kept');
    expect(outputs.querySelector('script, [onerror]')).toBeNull();
    expect('ran' in window).toBe(false);
  });
});

describe('an output in a card', () => {
  const show = (data: { [mime: string]: string }) =>
    play(s => {
      s.send('run-1');
      s.make('output.added', {
        output: {
          output_type: 'display_data',
          data,
          metadata: {},
          display_id: null
        }
      });
    });
  const outputs = () => card().querySelector('.jp-CaveLab-outputs')!;

  it('fetches no picture from elsewhere', () => {
    show({ 'text/html': '<b>a</b><img src="https://x.example/p" alt="p">' });
    expect(outputs().textContent).toContain('apicture not loaded: p');
    expect(outputs().innerHTML).not.toContain('x.example');
  });

  it('fetches none by its markdown either', async () => {
    show({ 'text/markdown': '**a** ![p](https://x.example/p)' });
    await doing(() => undefined);
    await waitFor(() =>
      expect(outputs().textContent).toContain('picture not loaded: p')
    );
    expect(outputs().innerHTML).not.toContain('x.example');
  });
});

describe('a long output in a card', () => {
  const text = Array.from({ length: 300 }, (_, at) => `row ${at}\n`).join('');
  const print = (stream: Stream) => {
    stream.send('run-1');
    stream.make('output.added', {
      output: { output_type: 'stream', name: 'stdout', text }
    });
  };
  const outputs = () => card().querySelector('.jp-CaveLab-outputs')!;

  it('shows its end too, and leads to all of it in the cell', async () => {
    const stage = play(s => {
      print(s);
      s.make('cell.placed', { cell_id: 'cell-run-1' });
    });
    expect(outputs().textContent).toMatch(/row 0\n[^]*row 299/);
    expect(outputs().textContent).toContain('284 lines left out');
    expect(outputs().textContent).not.toContain('row 100');
    await doing(() =>
      screen.getByRole('button', { name: 'See all in the cell' }).click()
    );
    expect(stage.notebooks.done).toEqual(['go a.ipynb cell-run-1']);
  });

  it('shows all of it here if it has no cell', async () => {
    play(print);
    await doing(() => screen.getByRole('button', { name: 'Show all' }).click());
    expect(outputs().textContent).toContain('row 100');
  });

  it('keeps its head and shows its new end as it grows', () => {
    const stage = play(print);
    const head = outputs().querySelector('pre');
    stage.stream.make('output.appended', { text: 'and row 300\n' });
    stage.tell();
    expect(outputs().querySelector('pre')).toBe(head);
    expect(outputs().textContent).toContain('285 lines left out');
    expect(outputs().textContent).toContain('and row 300');
  });
});

describe('the end of a turn', () => {
  it('says what was added, and keeps or undoes it', async () => {
    const stage = play(s => {
      s.send('run-1');
      s.make('run.ended', run());
      s.make('cell.placed');
      s.make('turn.ended');
    });
    const click = (name: string) =>
      doing(() => screen.getByRole('button', { name }).click());
    expect(
      document.querySelector('.jp-CaveLab-summary')!.textContent
    ).toContain('Added 1 cell');
    await click('Keep all');
    await click('Undo turn');
    expect(
      stage.client.of('cell.review').map(({ verdict }) => verdict)
    ).toEqual(['kept', 'undone']);
    expect(screen.getByRole('button', { name: 'Undo turn' }).title).toContain(
      'variables stay as they are'
    );
  });

  it('says why it stopped, and offers the next step', async () => {
    const stage = play(s => s.make('turn.ended', { stop_reason: 'max_runs' }));
    expect(screen.getByText(/as many cells as it may/)).toBeTruthy();
    await doing(() => screen.getByRole('button', { name: 'Go on' }).click());
    expect(stage.client.of('message.send')).toHaveLength(1);
  });

  it('says nothing of a turn that ended by itself', () => {
    play(s => s.make('turn.ended'));
    expect(document.querySelector('.jp-CaveLab-stopReason')).toBeNull();
  });
});
