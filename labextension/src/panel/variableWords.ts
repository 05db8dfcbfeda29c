import type { Variable } from '../protocol/generated';

/** How large something is: `90 × 3`, `12`; empty where that says nothing. */
export function sizeWords(
  variable: Pick<Variable, 'shape' | 'length'>
): string {
  return variable.shape?.join(' × ') ?? variable.length?.toString() ?? '';
}

/** What a variable is: its type, and what it holds where that is one type. */
export function typeWords({ type, dtype }: Variable): string {
  return dtype === null ? type : `${type} ${dtype}`;
}

/** A variable in a few words: `DataFrame 90 × 3`. */
export function briefly(variable: Variable): string {
  return [typeWords(variable), sizeWords(variable)].filter(Boolean).join(' ');
}
