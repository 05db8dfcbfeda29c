import type {
  KernelLoss,
  KernelState,
  ThreadState
} from '../protocol/generated';
import { isElsewhere } from '../state/roots';
import { asks } from './inputs';
import type { INotebooks, IOpenNotebook } from './ports';

/** What the kernel of a thread is doing, as the panel names it. */
export type KernelActivity =
  /** Nothing is known while the connection to the server is lost. */
  | 'not_connected'
  | 'none'
  | 'starting'
  | 'idle'
  | 'busy_ours'
  /** A cell of the thread's waits for a line of input. */
  | 'busy_asking'
  | 'busy_theirs'
  | 'silent'
  | 'dead';

/** Which notebook and kernel a thread acts on. */
export interface IBinding {
  readonly path: string;
  /** Whether it lies under the root of another server, where nothing here can act on it. */
  readonly elsewhere: boolean;
  /** Whether the thread has it as its own; else its next message makes it that. */
  readonly own: boolean;
  /** Whether the notebook is open in this page. */
  readonly open: boolean;
  readonly kernelName: string | null;
  readonly language: string | null;
  readonly activity: KernelActivity;
  /** Runs of ours that wait for the kernel. */
  readonly queued: number;
  /** Whether the kernel's variables can be seen. */
  readonly variables: boolean;
  /** The notebook in front, if it is another one. */
  readonly inFront: string | null;
}

/**
 * Say what a thread acts on, or would act on with its first message; null if there is no notebook.
 */
export function bindingOf(
  state: ThreadState | null,
  kernel: KernelState | null,
  notebooks: INotebooks,
  rootId: string
): IBinding | null {
  const { front } = notebooks;
  const own = state?.target.notebook ?? null;
  const path = own?.path ?? front?.path;
  if (path === undefined) {
    return null;
  }
  const elsewhere = isElsewhere(own, rootId);
  const notebook = elsewhere ? null : notebooks.find(path);
  // What the server says is of the thread's own notebook.
  const said = own === null ? null : kernel;
  return {
    path,
    elsewhere,
    own: own !== null,
    open: notebook !== null,
    kernelName: said?.display_name ?? notebook?.kernelName ?? null,
    language: said?.language ?? notebook?.language ?? null,
    activity: said ? activityOf(said, state) : seenFrom(notebook),
    queued: said?.queued ?? 0,
    variables: said?.variables ?? true,
    inFront: front && (elsewhere || front.path !== path) ? front.path : null
  };
}

function activityOf(
  kernel: KernelState,
  state: ThreadState | null
): KernelActivity {
  if (kernel.state !== 'busy') {
    return kernel.state;
  }
  if (kernel.whose !== 'ours') {
    return 'busy_theirs';
  }
  return Object.values(state?.runs ?? {}).some(asks)
    ? 'busy_asking'
    : 'busy_ours';
}

/** Before a thread exists, the notebook itself says what its kernel does. */
function seenFrom(notebook: IOpenNotebook | null): KernelActivity {
  if (notebook?.kernelName == null) {
    return 'none';
  }
  return notebook.kernelBusy ? 'busy_theirs' : 'idle';
}

/**
 * The loss of memory that the person has not yet answered: none after a later turn began.
 */
export function openLoss(state: ThreadState): KernelLoss | null {
  const { loss } = state;
  const last = state.turns.at(-1);
  if (loss === null || loss.reason === 'switched') {
    return null;
  }
  const later = last && Date.parse(last.started_at) > Date.parse(loss.at);
  return later ? null : loss;
}

/** What a loss took and is not there again; the total is null if it is not known. */
export interface Remaining {
  readonly loss: KernelLoss;
  readonly names: readonly string[];
  readonly total: number | null;
}

/** Take out of a loss what the kernel holds again. */
export function remaining(
  loss: KernelLoss,
  held: readonly string[]
): Remaining {
  const { lost, lost_total } = loss;
  const names = lost.filter(name => !held.includes(name));
  const back = lost.length - names.length;
  return { loss, names, total: lost_total && lost_total - back };
}

/** Whether a kernel runs there, as far as is known. */
export function hasKernel({ activity }: IBinding): boolean {
  return activity !== 'none' && activity !== 'dead';
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}
