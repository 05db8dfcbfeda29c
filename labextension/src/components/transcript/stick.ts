import {
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState
} from 'react';

/** So near to the bottom counts as being there: less than a line of text. */
const NEAR_PX = 16;

interface IStick {
  /** How many rows came below while the reader was elsewhere. */
  readonly unseen: number;
  readonly onScroll: () => void;
  readonly toBottom: () => void;
}

/**
 * Keeps a scrolling list at its bottom while the reader is there, and counts new
 * rows while they are not.
 */
export function useStick(
  list: RefObject<HTMLElement>,
  content: RefObject<HTMLElement>,
  rows: number
): IStick {
  const sticking = useRef(true);
  const seen = useRef(rows);
  const [unseen, setUnseen] = useState(0);
  const onScroll = useCallback(() => {
    const node = list.current;
    if (node) {
      const below = node.scrollHeight - node.scrollTop - node.clientHeight;
      sticking.current = below <= NEAR_PX;
      if (sticking.current) {
        setUnseen(0);
      }
    }
  }, [list]);
  const follow = useCallback(() => {
    const node = list.current;
    if (node && sticking.current) {
      node.scrollTop = node.scrollHeight;
    }
  }, [list]);
  const toBottom = useCallback(() => {
    sticking.current = true;
    setUnseen(0);
    follow();
  }, [follow]);
  useEffect(() => {
    const came = rows - seen.current;
    seen.current = rows;
    if (!sticking.current && came > 0) {
      setUnseen(before => before + came);
    }
    follow();
  }, [rows, follow]);
  useEffect(() => {
    if (content.current === null) {
      return;
    }
    const observer = new ResizeObserver(follow);
    observer.observe(content.current);
    if (list.current) {
      observer.observe(list.current);
    }
    return () => observer.disconnect();
  }, [content, list, follow]);
  return { unseen, onScroll, toBottom };
}
