import { CodeEditor } from '@jupyterlab/codeeditor';
import React, { useEffect, useRef } from 'react';

import { useDrawing } from '../context';
import { useStable } from '../hooks';

interface ICodeProps {
  readonly code: string;
  readonly mimeType: string;
  readonly label: string;
  /** Called with the text as the person types; without it the code is read-only. */
  readonly onEdit?: (code: string) => void;
  /** Called with each editor that is made, before the person can see it. */
  readonly onMade?: (editor: CodeEditor.IEditor) => void;
  readonly className?: string;
  /** Whether it is being written: its end stays in view until the reader puts a hand to it. */
  readonly growing?: boolean;
}

interface IHeld {
  readonly editor: CodeEditor.IEditor;
  readonly model: CodeEditor.Model;
}

/**
 * Code in the notebook's own editor. Lines never wrap, so that an indent always reads as one;
 * what is longer or wider than its box scrolls there.
 */
export function Code(props: ICodeProps): React.JSX.Element {
  const { code, mimeType, label } = props;
  const { editors } = useDrawing();
  const host = useRef<HTMLDivElement>(null);
  const held = useRef<IHeld | null>(null);
  const first = useRef({ code, mimeType });
  first.current = { code, mimeType };
  const readOnly = props.onEdit === undefined;
  const onEdit = useStable((text: string) => props.onEdit?.(text));
  const onMade = useStable((made: CodeEditor.IEditor) => props.onMade?.(made));
  useEffect(() => {
    if (host.current === null) {
      return;
    }
    const model = new CodeEditor.Model({ mimeType: first.current.mimeType });
    model.sharedModel.setSource(first.current.code);
    const editor = editors.factoryService.newInlineEditor({
      host: host.current,
      model,
      config: {
        readOnly,
        lineWrap: false,
        lineNumbers: false,
        codeFolding: false
      }
    });
    held.current = { editor, model };
    const tell = () => onEdit(model.sharedModel.getSource());
    model.sharedModel.changed.connect(tell);
    onMade(editor);
    return () => {
      held.current = null;
      model.sharedModel.changed.disconnect(tell);
      editor.dispose();
      model.dispose();
    };
  }, [editors, readOnly, onEdit, onMade]);
  useEffect(() => {
    if (held.current) {
      held.current.model.mimeType = mimeType;
      bring(held.current.model, code);
    }
  }, [code, mimeType]);
  useLabel(host, label, readOnly);
  useEnd(host, code, props.growing ?? false);
  return (
    <div ref={host} className={`jp-CaveLab-code ${props.className ?? ''}`} />
  );
}

/** Bring the editor's text to `code`; what only grew is only appended. */
function bring(model: CodeEditor.Model, code: string): void {
  const shown = model.sharedModel.getSource();
  if (code === shown) {
    return;
  }
  if (code.startsWith(shown)) {
    model.sharedModel.updateSource(
      shown.length,
      shown.length,
      code.slice(shown.length)
    );
  } else {
    model.sharedModel.setSource(code);
  }
}

/** Name the editor for those who hear it, also the one that was made in another's place. */
function useLabel(
  host: React.RefObject<HTMLDivElement>,
  label: string,
  readOnly: boolean
): void {
  useEffect(() => {
    const content = host.current?.querySelector('[role="textbox"]');
    content?.setAttribute('aria-label', label);
    content?.setAttribute('aria-readonly', String(readOnly));
  });
}

/** What a reader scrolls code with. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Keep the end of code in view while it grows, as long as the reader has not touched it. */
function useEnd(
  host: React.RefObject<HTMLDivElement>,
  code: string,
  growing: boolean
): void {
  const touched = useRef(false);
  useEffect(() => {
    const node = host.current;
    const touch = () => {
      touched.current = true;
    };
    HANDS.forEach(type =>
      node?.addEventListener(type, touch, { passive: true })
    );
    return () => HANDS.forEach(type => node?.removeEventListener(type, touch));
  }, [host]);
  useEffect(() => {
    const scroller = host.current?.querySelector('.cm-scroller');
    if (scroller && growing && !touched.current) {
      scroller.scrollTop = scroller.scrollHeight;
    }
  }, [host, code, growing]);
}
