import type { TranslationBundle } from '@jupyterlab/translation';
import { type ISignal, Signal } from '@lumino/signaling';

import type { VariablesResult } from '../protocol/generated';
import type { CommandBody, IClient } from '../state/client';
import { firstUnspaced, isSettled, partsOf } from './mentions';
import type { Content } from './pending';
import type { INotebooks } from './ports';
import { sentence } from './sentence';
import type { Shown } from './shown';

export interface IKernelVariablesOptions {
  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly shown: Shown;
  readonly trans: TranslationBundle;
}

/** What is looked at: a thread's kernel, or that of the notebook in which a thread would begin. */
interface IPlace {
  readonly key: string;
  readonly command: CommandBody | null;
}

/**
 * The variables in the kernel, as the person looked at them last; a look is kept until another, or
 * until another kernel is meant.
 */
export class KernelVariables {
  constructor(private readonly _options: IKernelVariablesOptions) {}

  get changed(): ISignal<KernelVariables, void> {
    return this._changed;
  }

  /** What was seen where the person is now; null before a look. */
  get seen(): VariablesResult | null {
    const { shown } = this._options;
    return this._key === this._placeOf(shown.thread?.threadId).key
      ? this._seen
      : null;
  }

  /** Look now, in a thread or in the one shown. It never rejects: the result says why it is empty. */
  async look(
    threadId = this._options.shown.thread?.threadId
  ): Promise<VariablesResult> {
    const { key, command } = this._placeOf(threadId);
    const number = ++this._looks;
    const seen = await this._ask(command);
    if (number === this._looks) {
      this._key = key;
      this._seen = seen;
      this._changed.emit();
    }
    return seen;
  }

  /** The parts of a message to a thread, mentions among them; null if the kernel has to be asked. */
  readNow(text: string, threadId: string): Content | null {
    const isKnown = isIn(this._key === threadId ? this._seen : null);
    return isSettled(text, isKnown) ? partsOf(text, isKnown) : null;
  }

  /** The same, by a look if need be. */
  async read(text: string, threadId: string): Promise<Content> {
    return (
      this.readNow(text, threadId) ??
      partsOf(text, isIn(await this.look(threadId)))
    );
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private async _ask(command: CommandBody | null): Promise<VariablesResult> {
    const { client, trans } = this._options;
    try {
      const result = command && (await client.request(command));
      return result?.type === 'variables'
        ? result
        : nothing(trans.__('No notebook is open.'));
    } catch (reason) {
      return nothing(sentence(reason));
    }
  }

  private _placeOf(thread_id: string | undefined): IPlace {
    if (thread_id !== undefined) {
      return { key: thread_id, command: { type: 'variables.look', thread_id } };
    }
    const { front } = this._options.notebooks;
    return front === null
      ? { key: '', command: null }
      : {
          key: `in ${front.path}`,
          command: { type: 'target.look', target: front.target }
        };
  }

  private _looks = 0;
  private _key: string | null = null;
  private _seen: VariablesResult | null = null;
  private readonly _changed = new Signal<this, void>(this);
}

function nothing(unavailable: string): VariablesResult {
  return { type: 'variables', variables: [], total: 0, unavailable };
}

/** Whether the kernel holds more variables than it told of in detail. */
export function isPartOf({ variables, total }: VariablesResult): boolean {
  return total > variables.length;
}

/** Whether a name is that of a variable; any plain one may be, where not all of them were told. */
function isIn(seen: VariablesResult | null): (name: string) => boolean {
  const names = new Set(seen?.variables.map(({ name }) => name));
  const part = seen !== null && isPartOf(seen);
  return name => names.has(name) || (part && isPlain(name));
}

function isPlain(name: string): boolean {
  return !name.includes('.') && firstUnspaced(name) < 0;
}
