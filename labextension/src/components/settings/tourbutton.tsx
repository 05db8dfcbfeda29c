import React, { useState } from 'react';

import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';

/** Begins the guided tour, in a notebook of its own. */
export function TourButton(props: {
  readonly kind: 'plain' | 'accept';
}): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const [starting, setStarting] = useState(false);
  const start = () => {
    setStarting(true);
    void panel.startTour().finally(() => setStarting(false));
  };
  return (
    <div className="jp-CaveLab-tour">
      <TextButton kind={props.kind} disabled={starting} onClick={start}>
        {starting
          ? trans.__('Opening its notebook …')
          : trans.__('Take the guided tour')}
      </TextButton>
      <span className="jp-CaveLab-quiet">
        {trans.__(
          'Scripted, not an AI. It opens a sample notebook of its own; yours stay as they are.'
        )}
      </span>
    </div>
  );
}
