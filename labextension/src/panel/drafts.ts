import type { IStateDB } from '@jupyterlab/statedb';
import { type ISignal, Signal } from '@lumino/signaling';

const KEY = 'cave-lab:drafts';

/** After so long without a keystroke the draft is stored; shorter would store every letter. */
const SAVE_AFTER_MS = 250;

interface IDraft {
  /** What stands in the field. */
  readonly text: string;
  /** What was sent and not yet accepted. */
  readonly sending: readonly string[];
}

const EMPTY: IDraft = { text: '', sending: [] };

/**
 * What the person has typed and not yet sent, per thread; it survives a reload,
 * and what the server refused comes back.
 */
export class Drafts {
  constructor(private readonly db: IStateDB | null) {
    window.addEventListener('pagehide', this._flush);
  }

  /** Emitted with the key of a draft that was changed by anything but typing. */
  get changed(): ISignal<Drafts, string> {
    return this._changed;
  }

  /** Read what an earlier page left behind; what was on its way then is a draft again. */
  async load(): Promise<void> {
    const stored = await this.db?.fetch(KEY);
    for (const [key, text] of entries(stored)) {
      if (!this._drafts.has(key)) {
        this._put(key, { text, sending: [] });
        this._changed.emit(key);
      }
    }
  }

  text(key: string): string {
    return this._of(key).text;
  }

  setText(key: string, text: string): void {
    this._put(key, { ...this._of(key), text });
    this._saveSoon();
  }

  /** `text` is being sent: it leaves the field if it stands there; a button's words leave a draft alone. */
  take(key: string, text: string): void {
    const draft = this._of(key);
    this._put(key, {
      text: draft.text === text ? '' : draft.text,
      sending: [...draft.sending, text]
    });
    this._saveSoon();
    this._changed.emit(key);
  }

  /** The server has it. */
  accepted(key: string, text: string): void {
    this._put(key, { ...this._of(key), sending: this._without(key, text) });
    this._saveSoon();
  }

  /** It was not sent: put it back before what was typed since. */
  putBack(key: string, text: string): void {
    const draft = this._of(key);
    this._put(key, {
      text: [text, draft.text].filter(Boolean).join('\n'),
      sending: this._without(key, text)
    });
    this._saveSoon();
    this._changed.emit(key);
  }

  /** Give a draft another key: its thread has begun. What stands there already follows it. */
  move(from: string, to: string): void {
    const draft = this._drafts.get(from);
    if (draft === undefined || from === to) {
      return;
    }
    const there = this._of(to);
    this._put(to, {
      text: [draft.text, there.text].filter(Boolean).join('\n'),
      sending: [...draft.sending, ...there.sending]
    });
    this._drafts.delete(from);
    this._saveSoon();
    this._changed.emit(to);
  }

  dispose(): void {
    window.removeEventListener('pagehide', this._flush);
    this._flush();
    Signal.clearData(this);
  }

  /** Store at once what waits for a pause in the typing: the page may be gone before it comes. */
  private readonly _flush = (): void => {
    if (this._timer !== 0) {
      this._save();
    }
  };

  private _of(key: string): IDraft {
    return this._drafts.get(key) ?? EMPTY;
  }

  private _put(key: string, draft: IDraft): void {
    if (draft.text === '' && draft.sending.length === 0) {
      this._drafts.delete(key);
    } else {
      this._drafts.set(key, draft);
    }
  }

  private _without(key: string, text: string): readonly string[] {
    const { sending } = this._of(key);
    const at = sending.indexOf(text);
    return sending.filter((_, index) => index !== at);
  }

  private _saveSoon(): void {
    window.clearTimeout(this._timer);
    this._timer = window.setTimeout(() => this._save(), SAVE_AFTER_MS);
  }

  private _save(): void {
    window.clearTimeout(this._timer);
    this._timer = 0;
    const stored: Record<string, string> = {};
    for (const [key, draft] of this._drafts) {
      stored[key] = [...draft.sending, draft.text].filter(Boolean).join('\n');
    }
    this.db?.save(KEY, stored).catch((reason: unknown) => {
      console.warn('The drafts of CaveLab could not be stored.', reason);
    });
  }

  private readonly _drafts = new Map<string, IDraft>();
  private readonly _changed = new Signal<this, string>(this);
  private _timer = 0;
}

function entries(stored: unknown): [string, string][] {
  if (typeof stored !== 'object' || stored === null) {
    return [];
  }
  return Object.entries(stored).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string'
  );
}
