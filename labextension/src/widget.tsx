import { ReactWidget } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';
import React from 'react';

import { App } from './components/app';
import type { IDrawing } from './components/context';
import { caveIcon } from './icons';
import type { PanelModel } from './panel/model';
import { PANEL_ID } from './tokens';

/**
 * The panel in the sidebar.
 */
export class CaveLabPanel extends ReactWidget {
  constructor(
    readonly model: PanelModel,
    private readonly drawing: IDrawing
  ) {
    super();
    const name = drawing.trans.__('CaveLab');
    this.id = PANEL_ID;
    this.addClass('jp-CaveLab');
    this.title.icon = caveIcon;
    this.title.caption = name;
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', name);
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

  protected override onActivateRequest(msg: Message): void {
    super.onActivateRequest(msg);
    this.model.focus();
  }
}
