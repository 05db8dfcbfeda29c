import type { Variable, VariablesResult } from '../../src/protocol/generated';
import type { Stage } from './panel';

/** A variable of which nothing more is known than these fields say. */
export function variable(
  name: string,
  fields: Partial<Variable> = {}
): Variable {
  return {
    name,
    type: 'int',
    kind: 'plain',
    module: null,
    shape: null,
    length: null,
    dtype: null,
    columns: null,
    columns_total: null,
    size_bytes: null,
    summary: null,
    preview: null,
    cell_id: null,
    cell_sha256: null,
    ...fields
  };
}

/** What a look at a kernel that holds these gives. */
export function holding(...variables: Variable[]): VariablesResult {
  const total = variables.length;
  return { type: 'variables', variables, total, unavailable: null };
}

export const DF = variable('df', {
  type: 'DataFrame',
  kind: 'frame',
  shape: [90, 3]
});

/** A cell of the person's begins or ends in the kernel. */
export function work(stage: Stage, state: 'busy' | 'idle'): void {
  stage.client.received.emit({
    type: 'kernel.state',
    thread_id: stage.stream.threadId,
    kernel_id: 'k',
    state,
    whose: state === 'busy' ? 'theirs' : null,
    queued: 0,
    language: 'python',
    display_name: 'Python 3',
    generation: '1-a',
    variables: true
  });
  stage.tell();
}
