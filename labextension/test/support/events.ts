import type { Event, Target } from '../../src/protocol/generated';
import { NO_USAGE } from '../../src/state/blank';

type Type = Event['type'];
type Of<T extends Type> = Extract<Event, { type: T }>;
type Base = 'v' | 'seq' | 'thread_id' | 'at' | 'type';
type Body<T extends Type> = Omit<Of<T>, Base>;

export const TARGET: Target = {
  notebook: { root_id: '', path: 'a.ipynb' },
  session_id: 's-1',
  kernel_id: 'k-1',
  language: 'python'
};

const TITLE = 'New';
const IN_TURN = { turn_id: 'turn-1', call: 1 };
const OF_RUN = { run_id: 'run-1' };
const ASKED = { ...OF_RUN, approval_id: 'ap-1', sha256: 'f'.repeat(64) };

/** A body of every type of event, to be changed where a test looks. */
export const BODIES: { [T in Type]: Body<T> } = {
  'thread.created': {
    title: TITLE,
    owner: 'local',
    target: TARGET,
    mode: 'review',
    privacy: 'standard',
    model: null,
    parent: null
  },
  'thread.changed': {
    title: null,
    target: null,
    model: null,
    mode: null,
    privacy: null,
    max_runs: null,
    budget_extended: null,
    deleted: null
  },
  'thread.snapshot': { state: {} },
  'kernel.changed': {
    reason: 'bound',
    generation: '1-a',
    lost: [],
    lost_total: 0
  },
  'turn.started': {
    turn_id: 'turn-1',
    parent_turn_id: null,
    content: [{ type: 'text', text: 'Go on.' }],
    target: TARGET,
    anchor: 'mine',
    outline: null,
    outline_sha256: null,
    message_id: null,
    origin: 'browser'
  },
  'message.queued': {
    message_id: 'm-1',
    content: [{ type: 'text', text: 'And then?' }],
    target: null,
    anchor: null,
    outline: null,
    when: 'after_turn'
  },
  'message.unqueued': { message_id: 'm-1', reason: 'removed', turn_id: null },
  'variables.seen': {
    turn_id: 'turn-1',
    generation: '1-a',
    variables: [],
    total: 0,
    omitted: {},
    unavailable: null,
    age_seconds: 0,
    changes: [],
    changes_complete: true,
    changes_lost: 0,
    mark: 3
  },
  'variables.looked': {
    ...IN_TURN,
    by: 'model',
    names: ['df'],
    detail: 'head',
    answers: []
  },
  'context.sent': {
    ...IN_TURN,
    model: 'some/model',
    messages: ['b1'],
    variables: 1,
    cells: 2,
    estimated_tokens: 300,
    outline: null,
    format: 'tools'
  },
  'text.delta': { ...IN_TURN, text: 'Hello' },
  'reasoning.delta': { ...IN_TURN, text: 'Hm' },
  'action.delta': { ...IN_TURN, ...OF_RUN, delta: 'x = ' },
  'action.refused': { ...IN_TURN, code: 'two_actions', text: 'One at a time.' },
  'model.retrying': {
    ...IN_TURN,
    attempt: 1,
    wait_seconds: 0.5,
    code: 'overloaded',
    text: 'Busy.'
  },
  'context.compacted': {
    ...IN_TURN,
    tier: 'stubs',
    reason: 'window',
    before_tokens: 9,
    after_tokens: 4,
    up_to_turn: 'turn-1',
    up_to_call: 2,
    summary: null,
    privacy: 'full',
    generation: '1-a',
    variables: [],
    variables_total: 0
  },
  'reply.kept': { ...IN_TURN, blob: 'b2' },
  usage: {
    ...IN_TURN,
    prompt: 100,
    completion: 10,
    cached: 50,
    cost: 0.25,
    price_source: 'list',
    estimated: false,
    seconds: 2
  },
  notice: {
    turn_id: null,
    level: 'info',
    code: 'hint',
    text: 'A sentence.',
    detail: null,
    actions: ['go_on']
  },
  'turn.ended': {
    turn_id: 'turn-1',
    stop_reason: 'end_turn',
    usage: NO_USAGE,
    suggestions: ['Plot it']
  },
  'run.proposed': {
    ...IN_TURN,
    ...OF_RUN,
    action: {
      type: 'run_cell',
      code: 'x = 1',
      purpose: 'Set x',
      scratch: false
    },
    purpose: 'Set x',
    code: 'x = 1',
    sha256: 'f'.repeat(64),
    by: 'model',
    target: TARGET,
    replaces: null,
    repairs: null,
    attempt_of: null,
    scratch: false,
    risks: []
  },
  'approval.requested': { ...ASKED, reasons: ['mode'] },
  'approval.closed': {
    ...ASKED,
    outcome: 'run',
    reason: null,
    allowed_by: null
  },
  'run.intended': {
    ...OF_RUN,
    cell_id: 'cell-1',
    target: TARGET,
    generation: '1-a',
    after: 'mine'
  },
  'run.started': { ...OF_RUN, execution_count: 7 },
  'output.added': {
    ...OF_RUN,
    index: 0,
    output: { output_type: 'stream', name: 'stdout', text: 'a' },
    late: false
  },
  'output.appended': { ...OF_RUN, index: 0, text: 'b', late: false },
  'output.updated': {
    ...OF_RUN,
    index: 0,
    output: {
      output_type: 'display_data',
      data: { 'text/plain': '2' },
      metadata: {},
      display_id: 'd'
    },
    late: false
  },
  'output.cleared': { ...OF_RUN, late: false },
  'output.truncated': { ...OF_RUN, text: 'Cut at 200 kB.' },
  'stdin.requested': {
    ...OF_RUN,
    prompt: 'Name? ',
    password: false,
    question: 1
  },
  'stdin.closed': { ...OF_RUN, reason: 'answered' },
  'run.ended': {
    ...OF_RUN,
    status: 'ok',
    reason: null,
    execution_count: null,
    duration_seconds: 1.5,
    error: null,
    variables: [],
    variables_complete: true,
    excerpt: null
  },
  'cell.placed': {
    ...OF_RUN,
    cell_id: 'cell-1',
    level: 'in_document',
    by: 'client-1'
  },
  'cell.reviewed': { ...OF_RUN, cell_id: 'cell-1', verdict: 'kept' }
};

/** Makes the events of one thread, numbered and a second apart. */
export class Stream {
  readonly events: Event[] = [];

  constructor(readonly threadId = 'th-1') {}

  /** Make the next event. */
  make<T extends Type>(type: T, fields: Partial<Body<T>> = {}): Of<T> {
    const seq = this.events.length + 1;
    const event = {
      v: 1,
      seq,
      thread_id: this.threadId,
      at: new Date(Date.UTC(2026, 0, 1, 0, 0, seq)).toISOString(),
      type,
      ...BODIES[type],
      ...fields
    } as unknown as Of<T>;
    this.events.push(event);
    return event;
  }

  /** Begin the thread and its first turn. */
  begin(): this {
    this.make('thread.created');
    this.make('turn.started');
    return this;
  }

  /** Propose a run and let it go out to the kernel; its cell is called after it. */
  send(run_id: string, fields: Partial<Body<'run.proposed'>> = {}): this {
    this.make('run.proposed', { ...fields, run_id });
    this.make('approval.requested', { run_id });
    this.make('approval.closed', { run_id });
    return this.intend(run_id);
  }

  /** The request of a run goes out. */
  intend(run_id: string, fields: Partial<Body<'run.intended'>> = {}): this {
    this.make('run.intended', {
      cell_id: `cell-${run_id}`,
      ...fields,
      run_id
    });
    return this;
  }

  /** A run fails, having changed nothing unless `fields` say so. */
  fail(run_id: string, fields: Partial<Body<'run.ended'>> = {}): this {
    this.make('run.ended', { status: 'error', ...fields, run_id });
    return this;
  }
}
