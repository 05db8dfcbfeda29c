import { type Markdown, plain } from '../../render/markdown';

/**
 * Draws the newest text, one drawing at a time, and replaces only the blocks
 * that are others than before.
 */
export class AnswerDrawer {
  constructor(
    private readonly host: HTMLElement,
    private readonly markdown: Pick<Markdown, 'render' | 'typeset'>,
    /** Called when all that was wanted is drawn. */
    private readonly onDrawn: () => void = () => undefined
  ) {}

  /** The text that was drawn last; null if that is not yet all that is wanted. */
  get drawn(): string | null {
    return this._wanted === null ? this._drawn : null;
  }

  draw(text: string): void {
    this._wanted = text;
    if (!this._drawing) {
      this._drawing = true;
      void this._drawAll().finally(() => (this._drawing = false));
    }
  }

  /** Draw nothing more. */
  stop(): void {
    this._wanted = null;
    this._stopped = true;
  }

  private async _drawAll(): Promise<void> {
    while (this._wanted !== null) {
      const text = this._wanted;
      this._wanted = null;
      try {
        this._patch(await this.markdown.render(text));
      } catch (reason) {
        console.warn('An answer was drawn as plain text.', reason);
        this.host.replaceChildren(plain(text));
        this._blocks = [];
      }
      this._drawn = text;
    }
    if (!this._stopped) {
      this.onDrawn();
    }
  }

  private _patch(fragment: DocumentFragment): void {
    const next = [...fragment.children].map(block => block.outerHTML);
    const differs = next.findIndex((html, at) => html !== this._blocks[at]);
    const kept = differs < 0 ? next.length : differs;
    for (const block of [...this.host.children].slice(kept)) {
      block.remove();
    }
    const fresh = [...fragment.children].slice(kept);
    this.host.append(...fresh);
    this._blocks = next;
    for (const block of fresh) {
      this.markdown.typeset(block);
    }
  }

  private _wanted: string | null = null;
  private _drawn: string | null = null;
  private _drawing = false;
  private _stopped = false;
  private _blocks: readonly string[] = [];
}
