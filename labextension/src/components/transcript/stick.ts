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

  /** The list was scrolled; true if the reader is at its bottom now. */
  scrolled(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    const below = scrollHeight - scrollTop - clientHeight;
    if (Math.abs(scrollTop - this._set) > 1) {
      this._mode = below <= NEAR_PX ? 'bottom' : 'free';
    }
    return below <= NEAR_PX;
  }

  toBottom(): void {
    this._mode = 'bottom';
    this._shown = this._card;
    this._scrollTo(this.list.scrollHeight);
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
  }

  private _mode: 'bottom' | 'card' | 'free' = 'bottom';
  private _shown: HTMLElement | null = null;
  private _set = 0;
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
    return () => observer.disconnect();
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
