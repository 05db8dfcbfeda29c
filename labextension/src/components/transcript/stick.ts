import {
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState
} from 'react';

import { WAITING_CLASS } from '../run/attention';

/** What is left free above a question, as between the cards. */
const AIR_PX = 8;

/** So near to the bottom counts as being there: less than a line of text. */
const NEAR_PX = 16;

/** What scrolls so soon after a wheel, a touch or a key is scrolled by the reader. */
const READER_MS = 500;

const SCROLL_KEYS = new Set(
  'ArrowUp ArrowDown PageUp PageDown Home End Tab'.split(' ').concat(' ')
);

const TOUCHES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

interface IStick {
  /** How many rows came below while the reader was elsewhere. */
  readonly unseen: number;
  readonly onScroll: () => void;
  readonly toBottom: () => void;
}

/**
 * Where a list scrolls to by itself: to its bottom while the reader is there; to a
 * question so that all of it is in view, or its beginning if it does not fit; nowhere
 * after the reader has scrolled away.
 */
export class Stick {
  constructor(private readonly list: HTMLElement) {}

  /** Whether new rows are in sight by themselves. */
  get follows(): boolean {
    return this._mode !== 'free';
  }

  /** The content has another size. */
  settle(): void {
    if (this._unfolded) {
      this._unfolded = false;
      const back = this._mode === 'free' ? 'bottom' : this._mode;
      this._mode = this._below <= NEAR_PX ? back : 'free';
    }
    if (this._mode === 'free') {
      return;
    }
    const card = this._card;
    if (card && card !== this._shown) {
      this._shown = card;
      this._mode = 'card';
    } else if (!card) {
      this._mode = 'bottom';
    }
    this._scrollTo(
      card && this._mode === 'card'
        ? this._placeOf(card)
        : this.list.scrollHeight
    );
  }

  /** The reader put a hand to what scrolls the list. */
  readonly touch = (event: Event): void => {
    const reads =
      event instanceof KeyboardEvent
        ? SCROLL_KEYS.has(event.key)
        : event.type !== 'pointerdown' || event.target === this.list;
    if (reads) {
      this._touchedAt = performance.now();
    }
  };

  /** The reader unfolded or folded something: it stays where they look, and so do they. */
  readonly unfold = (event: Event): void => {
    const { target } = event;
    if (target instanceof Element && target.closest('summary') !== null) {
      this._unfolded = true;
    }
  };

  /** The list was scrolled; true if the reader is at its bottom now. */
  scrolled(): boolean {
    if (Math.abs(this.list.scrollTop - this._set) > 1) {
      if (this._isMovedByContent) {
        this.settle();
      } else {
        this._mode = this._below <= NEAR_PX ? 'bottom' : 'free';
      }
    }
    return this._below <= NEAR_PX;
  }

  toBottom(): void {
    this._mode = 'bottom';
    this._shown = this._card;
    this._scrollTo(this.list.scrollHeight);
  }

  private get _below(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight;
  }

  /**
   * Content that shrinks and grows again leaves the list scrolled elsewhere; that is not the
   * reader's doing, as long as they have not touched it.
   */
  private get _isMovedByContent(): boolean {
    const touched = performance.now() - this._touchedAt < READER_MS;
    const moved = this.list.scrollHeight !== this._height;
    return this.follows && moved && !touched;
  }

  private get _card(): HTMLElement | null {
    return this.list.querySelector<HTMLElement>(`.${WAITING_CLASS}`);
  }

  /** The bottom of the list, or less far if the top of the card would be out of view there. */
  private _placeOf(card: HTMLElement): number {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    const inList =
      card.getBoundingClientRect().top - this.list.getBoundingClientRect().top;
    return Math.min(scrollTop + inList - AIR_PX, scrollHeight - clientHeight);
  }

  private _scrollTo(top: number): void {
    this.list.scrollTop = top;
    this._set = this.list.scrollTop;
    this._height = this.list.scrollHeight;
  }

  private _mode: 'bottom' | 'card' | 'free' = 'bottom';
  private _shown: HTMLElement | null = null;
  private _set = 0;
  private _height = 0;
  private _touchedAt = -READER_MS;
  private _unfolded = false;
}

/**
 * Keeps a list where `Stick` says, and counts new rows while the reader is elsewhere.
 */
export function useStick(
  list: RefObject<HTMLElement>,
  content: RefObject<HTMLElement>,
  rows: number
): IStick {
  const stick = useRef<Stick | null>(null);
  const seen = useRef(rows);
  const [unseen, setUnseen] = useState(0);
  useEffect(() => {
    if (list.current === null || content.current === null) {
      return;
    }
    const made = new Stick(list.current);
    stick.current = made;
    made.settle();
    const observer = new ResizeObserver(() => made.settle());
    observer.observe(content.current);
    observer.observe(list.current);
    const { current: node } = list;
    TOUCHES.forEach(type =>
      node.addEventListener(type, made.touch, { passive: true })
    );
    node.addEventListener('click', made.unfold);
    return () => {
      observer.disconnect();
      node.removeEventListener('click', made.unfold);
      TOUCHES.forEach(type => node.removeEventListener(type, made.touch));
    };
  }, [content, list]);
  useEffect(() => {
    const came = rows - seen.current;
    seen.current = rows;
    if (stick.current?.follows === false && came > 0) {
      setUnseen(before => before + came);
    }
    stick.current?.settle();
  }, [rows]);
  const onScroll = useCallback(() => {
    if (stick.current?.scrolled()) {
      setUnseen(0);
    }
  }, []);
  const toBottom = useCallback(() => {
    setUnseen(0);
    stick.current?.toBottom();
  }, []);
  return { unseen, onScroll, toBottom };
}
