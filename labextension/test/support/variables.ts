import type { Variable, VariablesResult } from '../../src/protocol/generated';

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
