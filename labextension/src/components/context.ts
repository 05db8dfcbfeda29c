import type { IEditorServices } from '@jupyterlab/codeeditor';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { TranslationBundle } from '@jupyterlab/translation';
import { createContext, useContext } from 'react';

import type { PanelModel } from '../panel/model';
import type { IApi } from '../panel/ports';
import type { Markdown } from '../render/markdown';

/** What components draw with. */
export interface IDrawing {
  readonly trans: TranslationBundle;
  readonly rendermime: IRenderMimeRegistry;
  readonly editors: IEditorServices;
  readonly markdown: Markdown;
  readonly api: Pick<IApi, 'blob' | 'output'>;
}

export const DrawingContext = createContext<IDrawing | null>(null);
export const PanelContext = createContext<PanelModel | null>(null);

function must<T>(value: T | null): T {
  if (value === null) {
    throw new Error('A component of CaveLab was drawn outside its panel.');
  }
  return value;
}

/** What the component draws with. */
export function useDrawing(): IDrawing {
  return must(useContext(DrawingContext));
}

/** The translator. */
export function useTrans(): TranslationBundle {
  return useDrawing().trans;
}

/** The panel's model, for what the component does; see `usePanelValue` for what it shows. */
export function usePanel(): PanelModel {
  return must(useContext(PanelContext));
}
