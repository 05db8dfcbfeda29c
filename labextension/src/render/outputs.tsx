import { OutputAreaModel, SimplifiedOutputArea } from '@jupyterlab/outputarea';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { Widget } from '@lumino/widgets';
import React, { useLayoutEffect, useRef } from 'react';

import { follow, type WholeOutput } from './nbformat';

interface IOutputsProps {
  readonly outputs: readonly WholeOutput[];
  readonly rendermime: IRenderMimeRegistry;
}

interface IHeld {
  readonly area: SimplifiedOutputArea;
  shown: readonly WholeOutput[];
}

/**
 * Outputs drawn by JupyterLab's own output area as an untrusted notebook's are:
 * scripts are never run and HTML is sanitized.
 */
export function Outputs(props: IOutputsProps): React.JSX.Element {
  const { outputs, rendermime } = props;
  const host = useRef<HTMLDivElement>(null);
  const held = useRef<IHeld | null>(null);
  useLayoutEffect(() => {
    if (host.current === null) {
      return;
    }
    const area = new SimplifiedOutputArea({
      model: new OutputAreaModel({ trusted: false }),
      rendermime
    });
    held.current = { area, shown: [] };
    Widget.attach(area, host.current);
    return () => {
      held.current = null;
      const { model } = area;
      if (area.isAttached) {
        Widget.detach(area);
      }
      area.dispose();
      model.dispose();
    };
  }, [rendermime]);
  useLayoutEffect(() => {
    if (held.current) {
      follow(held.current.area.model, held.current.shown, outputs);
      held.current.shown = outputs;
    }
  }, [outputs, rendermime]);
  return <div ref={host} />;
}
