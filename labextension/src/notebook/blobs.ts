import type { TranslationBundle } from '@jupyterlab/translation';
import { type ISignal, Signal } from '@lumino/signaling';

import type { BlobOutput, Output } from '../protocol/generated';
import type { WholeOutput } from '../render/nbformat';
import { LIMITS } from './limits';

/** Reads a blob of a thread as text; it holds one output as JSON. */
export type FetchBlob = (threadId: string, blobId: string) => Promise<string>;

type Held = 'on its way' | WholeOutput;

/**
 * Outputs in full: those that travel as references are fetched once, a few times if need be.
 */
export class Blobs {
  constructor(
    private readonly _threadId: string,
    private readonly _fetch: FetchBlob,
    private readonly _trans: TranslationBundle
  ) {}

  /** Emitted when an output has come, or will not come. */
  get arrived(): ISignal<Blobs, void> {
    return this._arrived;
  }

  /** The outputs up to the first that is not here yet, and whether that is all of them. */
  whole(outputs: readonly Output[]): {
    outputs: readonly WholeOutput[];
    complete: boolean;
  } {
    const here: WholeOutput[] = [];
    for (const output of outputs) {
      const whole = output.output_type === 'blob' ? this._get(output) : output;
      if (whole === 'on its way') {
        return { outputs: here, complete: false };
      }
      here.push(whole);
    }
    return { outputs: here, complete: true };
  }

  /** Let go of what was fetched for outputs that are written. */
  drop(outputs: readonly Output[]): void {
    for (const output of outputs) {
      if (output.output_type === 'blob') {
        this._held.delete(output.blob);
      }
    }
  }

  dispose(): void {
    this._disposed = true;
    this._timers.forEach(timer => window.clearTimeout(timer));
    this._timers.clear();
    Signal.clearData(this);
  }

  private _get(output: BlobOutput): Held {
    const held = this._held.get(output.blob);
    if (held === undefined) {
      this._held.set(output.blob, 'on its way');
      void this._load(output, 0);
    }
    return held ?? 'on its way';
  }

  private async _load(output: BlobOutput, attempt: number): Promise<void> {
    try {
      const text = await this._fetch(this._threadId, output.blob);
      this._put(output, JSON.parse(text) as WholeOutput);
    } catch (reason) {
      const wait = LIMITS.blobRetryMs.at(attempt);
      if (wait === undefined) {
        console.warn('An output could not be fetched.', reason);
        this._put(output, this._missing(output));
      } else {
        this._loadIn(wait, output, attempt + 1);
      }
    }
  }

  private _loadIn(wait: number, output: BlobOutput, attempt: number): void {
    if (this._disposed) {
      return;
    }
    const timer = window.setTimeout(() => {
      this._timers.delete(timer);
      void this._load(output, attempt);
    }, wait);
    this._timers.add(timer);
  }

  private _put(output: BlobOutput, whole: WholeOutput): void {
    this._held.set(output.blob, whole);
    this._arrived.emit();
  }

  /** The cell must not look as if there had been nothing. */
  private _missing(output: BlobOutput): WholeOutput {
    const what = output.mime_types.join(', ') || output.of;
    const text = this._trans.__(
      'An output (%1, %2 bytes) could not be loaded from the server. It is kept with the chat.\n',
      what,
      output.size
    );
    return { output_type: 'stream', name: 'stderr', text };
  }

  private readonly _held = new Map<string, Held>();
  private readonly _timers = new Set<number>();
  private _disposed = false;
  private readonly _arrived = new Signal<this, void>(this);
}
