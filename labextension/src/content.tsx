import { ReactWidget } from '@jupyterlab/ui-components';
import React from 'react';

import { App } from './components/app';
import type { IDrawing } from './components/context';
import type { PanelModel } from './panel/model';

/**
 * What the panel holds once it is loaded.
 */
export class PanelContent extends ReactWidget {
  constructor(
    readonly model: PanelModel,
    private readonly drawing: IDrawing
  ) {
    super();
    this.addClass('jp-CaveLab-content');
  }

  override dispose(): void {
    if (!this.isDisposed) {
      super.dispose();
      this.model.dispose();
    }
  }

  protected override render(): React.JSX.Element {
    return <App panel={this.model} drawing={this.drawing} />;
  }
}
