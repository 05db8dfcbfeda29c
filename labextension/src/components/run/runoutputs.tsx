import type { TranslationBundle } from '@jupyterlab/translation';
import React, { useEffect, useMemo, useState } from 'react';

import type { BlobOutput, Output, RunState } from '../../protocol/generated';
import {
  headAndTail,
  type IGap,
  isText,
  type Piece
} from '../../render/excerpt';
import type { WholeOutput } from '../../render/nbformat';
import { asShown } from '../../render/picture';
import { Outputs } from '../../render/outputs';
import { never } from '../../state/never';
import { TextButton } from '../button';
import { useDrawing, useTrans } from '../context';
import { useStable } from '../hooks';
import { GoToCell } from './gotocell';

/** Larger outputs are fetched only by a click: about what a large figure takes. */
const FETCH_BYTES = 2_000_000;

/** Text that is drawn as one area, anything richer by itself, what has to be fetched, what is left out. */
type Stretch =
  | { readonly kind: 'text'; readonly outputs: readonly WholeOutput[] }
  | { readonly kind: 'rich'; readonly outputs: readonly WholeOutput[] }
  | { readonly kind: 'away'; readonly output: BlobOutput }
  | IGap;

interface IShownProps {
  readonly run: RunState;
  readonly threadId: string;
  /** Whether nothing is left out. */
  readonly whole: boolean;
  readonly onWhole: () => void;
}

/** A run's outputs in order, of long ones head and tail; large ones come when they are looked at. */
export function RunOutputs(props: {
  readonly run: RunState;
  readonly threadId: string;
}): React.JSX.Element | null {
  const { outputs, truncated } = props.run;
  const trans = useTrans();
  const [whole, setWhole] = useState(false);
  if (outputs.length === 0 && truncated === null) {
    return null;
  }
  return (
    <div
      className="jp-CaveLab-outputs"
      role="group"
      aria-label={trans.__('Output')}
    >
      <Stretches
        {...props}
        outputs={outputs}
        whole={whole}
        onWhole={() => setWhole(true)}
      />
      {truncated !== null && <p className="jp-CaveLab-quiet">{truncated}</p>}
    </div>
  );
}

function Stretches(
  props: IShownProps & { readonly outputs: readonly Output[] }
): React.JSX.Element {
  const { outputs, whole } = props;
  const stretches = useMemo(
    () =>
      split(
        whole
          ? outputs.map(output => ({ kind: 'output', output }))
          : headAndTail(outputs)
      ),
    [outputs, whole]
  );
  return (
    <>
      {stretches.map((stretch, at) => (
        <StretchRow key={at} {...props} stretch={stretch} />
      ))}
    </>
  );
}

function StretchRow(
  props: IShownProps & { readonly stretch: Stretch }
): React.JSX.Element {
  const { stretch } = props;
  const { rendermime } = useDrawing();
  const trans = useTrans();
  switch (stretch.kind) {
    case 'text':
      return <Outputs outputs={stretch.outputs} rendermime={rendermime} />;
    case 'rich':
      return (
        <div
          className="jp-CaveLab-rich"
          role="group"
          aria-label={trans.__('Table or figure')}
          tabIndex={0}
        >
          <Outputs outputs={stretch.outputs} rendermime={rendermime} />
        </div>
      );
    case 'away':
      return <Away {...props} output={stretch.output} />;
    case 'gap':
      return <Gap {...props} gap={stretch} />;
    default:
      return never(stretch);
  }
}

function split(pieces: readonly Piece[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const piece of pieces) {
    const last = stretches.at(-1);
    if (piece.kind === 'gap') {
      stretches.push(piece);
    } else if (piece.output.output_type === 'blob') {
      stretches.push({ kind: 'away', output: piece.output });
    } else if (!isText(piece.output)) {
      stretches.push({ kind: 'rich', outputs: [asShown(piece.output)] });
    } else if (last?.kind === 'text') {
      const outputs = [...last.outputs, piece.output];
      stretches[stretches.length - 1] = { kind: 'text', outputs };
    } else {
      stretches.push({ kind: 'text', outputs: [piece.output] });
    }
  }
  return stretches;
}

/** How much is left out here, and where all of it is. */
function Gap(props: IShownProps & { readonly gap: IGap }): React.JSX.Element {
  const trans = useTrans();
  return (
    <p className="jp-CaveLab-gap">
      <span>{gapWords(props.gap, trans)}</span>
      <GoToCell
        run={props.run}
        words={trans.__('See all in the cell')}
        otherwise={
          <TextButton kind="link" onClick={props.onWhole}>
            {trans.__('Show all')}
          </TextButton>
        }
      />
    </p>
  );
}

function gapWords(gap: IGap, trans: TranslationBundle): string {
  const count = gap.count.toLocaleString();
  switch (gap.unit) {
    case 'lines':
      return trans._n(
        '… %2 line left out',
        '… %2 lines left out',
        gap.count,
        count
      );
    case 'characters':
      return trans.__('… %1 characters left out', count);
    case 'outputs':
      return trans.__('… %1 outputs left out', count);
    default:
      return never(gap.unit);
  }
}

/** An output that is stored on the server. */
function Away(
  props: IShownProps & { readonly output: BlobOutput }
): React.JSX.Element {
  const { output, threadId } = props;
  const { api } = useDrawing();
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
  const list = useMemo(() => (fetched ? [fetched] : []), [fetched]);
  if (fetched) {
    return <Stretches {...props} outputs={list} />;
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
