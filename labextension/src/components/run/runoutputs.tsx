import React, { useEffect, useMemo, useState } from 'react';

import type { BlobOutput, Output } from '../../protocol/generated';
import type { WholeOutput } from '../../render/nbformat';
import { asShown } from '../../render/picture';
import { Outputs } from '../../render/outputs';
import { TextButton } from '../button';
import { useDrawing, useTrans } from '../context';
import { useStable } from '../hooks';

/** Larger outputs are fetched only by a click: about what a large figure takes. */
const FETCH_BYTES = 2_000_000;

/** Outputs side by side that can be drawn as one area, or one that has to be fetched. */
type Stretch =
  | { readonly kind: 'here'; readonly outputs: readonly WholeOutput[] }
  | { readonly kind: 'away'; readonly output: BlobOutput };

/** A run's outputs in order; large ones come when they are looked at. */
export function RunOutputs(props: {
  readonly outputs: readonly Output[];
  readonly threadId: string;
  readonly truncated: string | null;
}): React.JSX.Element | null {
  const { rendermime } = useDrawing();
  const trans = useTrans();
  const stretches = useMemo(() => split(props.outputs), [props.outputs]);
  if (stretches.length === 0 && props.truncated === null) {
    return null;
  }
  return (
    <div
      className="jp-CaveLab-outputs"
      role="group"
      aria-label={trans.__('Output')}
      tabIndex={0}
    >
      {stretches.map((stretch, at) =>
        stretch.kind === 'here' ? (
          <Outputs key={at} outputs={stretch.outputs} rendermime={rendermime} />
        ) : (
          <Away key={at} output={stretch.output} threadId={props.threadId} />
        )
      )}
      {props.truncated !== null && (
        <p className="jp-CaveLab-quiet">{props.truncated}</p>
      )}
    </div>
  );
}

function split(outputs: readonly Output[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const output of outputs) {
    const last = stretches.at(-1);
    if (output.output_type === 'blob') {
      stretches.push({ kind: 'away', output });
    } else if (last?.kind === 'here') {
      stretches[stretches.length - 1] = {
        kind: 'here',
        outputs: [...last.outputs, asShown(output)]
      };
    } else {
      stretches.push({ kind: 'here', outputs: [asShown(output)] });
    }
  }
  return stretches;
}

/** An output that is stored on the server. */
function Away(props: {
  readonly output: BlobOutput;
  readonly threadId: string;
}): React.JSX.Element {
  const { output, threadId } = props;
  const { api, rendermime } = useDrawing();
  const trans = useTrans();
  const [fetched, setFetched] = useState<WholeOutput | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const fetch = useStable(() => {
    setProblem(null);
    api
      .output(threadId, output.blob)
      .then(setFetched)
      .catch(() =>
        setProblem(trans.__('The output could not be fetched from the server.'))
      );
  });
  const small = output.size <= FETCH_BYTES;
  useEffect(() => {
    if (small) {
      fetch();
    }
  }, [small, output.blob, fetch]);
  const list = useMemo(() => (fetched ? [asShown(fetched)] : []), [fetched]);
  if (fetched) {
    return <Outputs outputs={list} rendermime={rendermime} />;
  }
  return (
    <p className="jp-CaveLab-quiet">
      {problem ?? trans.__('A large output (%1).', sizeWords(output.size))}{' '}
      {(problem !== null || !small) && (
        <TextButton kind="link" onClick={fetch}>
          {trans.__('Show it')}
        </TextButton>
      )}
    </p>
  );
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
