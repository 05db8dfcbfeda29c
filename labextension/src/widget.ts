import type { TranslationBundle } from '@jupyterlab/translation';
import type { Message } from '@lumino/messaging';
import { Panel, type Widget } from '@lumino/widgets';

import { caveIcon } from './icons';
import type { PanelModel } from './panel/model';
import { PANEL_ID } from './tokens';

/** The panel's content, as its frame knows it. */
export interface IContent extends Widget {
  readonly model: PanelModel;
}

/**
 * The panel in the sidebar: a frame that is there at once, and loads what is in
 * it when JupyterLab has started or the person looks at it.
 */
export class CaveLabPanel extends Panel {
  constructor(
    trans: TranslationBundle,
    private readonly load: () => Promise<IContent>
  ) {
    super();
    const name = trans.__('CaveLab');
    this.id = PANEL_ID;
    this.addClass('jp-CaveLab');
    this.title.icon = caveIcon;
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', name);
  }

  /** The panel's model, or null before it is loaded. */
  get model(): PanelModel | null {
    return this._content?.model ?? null;
  }

  /** The panel's model, loaded now if it was not. */
  async loaded(): Promise<PanelModel> {
    this._loading ??= this.load().then(content => {
      this._content = content;
      this.addWidget(content);
      return content;
    });
    return (await this._loading).model;
  }

  /** Load what is in it, if it was not. */
  prepare(): void {
    this.loaded().catch((reason: unknown) => {
      console.error('The panel of CaveLab could not be loaded.', reason);
    });
  }

  protected override onAfterShow(msg: Message): void {
    super.onAfterShow(msg);
    this.prepare();
  }

  protected override onActivateRequest(msg: Message): void {
    super.onActivateRequest(msg);
    this.prepare();
    // Drawn in the next frame if it was loaded just now.
    void this._loading?.then(content =>
      requestAnimationFrame(() => content.model.enter())
    );
  }

  private _content: IContent | null = null;
  private _loading: Promise<IContent> | null = null;
}
