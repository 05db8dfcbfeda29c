import React, { useEffect, useRef, useState } from 'react';

import { useReturnFocus, useStable } from './hooks';
import { isOfInputMethod } from './keys';

interface IPopoverProps {
  readonly label: string;
  readonly className?: string;
  /** The button that opens it. */
  readonly button: (open: boolean, toggle: () => void) => React.ReactNode;
  readonly children: (close: () => void) => React.ReactNode;
  readonly onOpen?: () => void;
}

/**
 * Something small that opens over the panel, takes the focus, and closes by Esc
 * or when the focus leaves it.
 */
export function Popover(props: IPopoverProps): React.JSX.Element {
  const [open, setOpen] = useState(false);
  const onOpen = useStable(() => props.onOpen?.());
  const toggle = () => setOpen(now => !now);
  useEffect(() => {
    if (open) {
      onOpen();
    }
  }, [open, onOpen]);
  const frame = useRef<HTMLDivElement>(null);
  const leave = (event: React.FocusEvent) => {
    if (event.relatedTarget && !frame.current?.contains(event.relatedTarget)) {
      setOpen(false);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const ours = open && !isOfInputMethod(event.nativeEvent);
    if (ours && event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div
      ref={frame}
      className={`jp-CaveLab-popoverFrame ${props.className ?? ''}`}
      onBlur={leave}
      onKeyDown={onKeyDown}
    >
      {props.button(open, toggle)}
      {open && (
        <PopoverBody label={props.label} onOutside={() => setOpen(false)}>
          {props.children(() => setOpen(false))}
        </PopoverBody>
      )}
    </div>
  );
}

function PopoverBody(props: {
  readonly label: string;
  readonly onOutside: () => void;
  readonly children: React.ReactNode;
}): React.JSX.Element {
  const body = useRef<HTMLDivElement>(null);
  const onOutside = useStable(props.onOutside);
  useReturnFocus(body, true);
  useEffect(() => {
    const first = body.current?.querySelector<HTMLElement>(
      'input, button, select, [tabindex]'
    );
    (first ?? body.current)?.focus();
    const onPointer = (event: PointerEvent) => {
      const frame = body.current?.parentElement;
      if (event.target instanceof Node && !frame?.contains(event.target)) {
        onOutside();
      }
    };
    document.addEventListener('pointerdown', onPointer, true);
    return () => document.removeEventListener('pointerdown', onPointer, true);
  }, [onOutside]);
  return (
    <div
      ref={body}
      className="jp-CaveLab-popover"
      role="dialog"
      aria-label={props.label}
      tabIndex={-1}
    >
      {props.children}
    </div>
  );
}
