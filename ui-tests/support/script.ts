/** The parts of a trajectory, as `cave_lab/model/script.py` reads them. */
export type Item =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly quote: string; readonly otherwise?: string }
  | {
      readonly code: string;
      readonly purpose?: string;
      readonly scratch?: boolean;
    }
  | { readonly names: readonly string[]; readonly detail?: string }
  | { readonly gate: string };

/** What a request must hold for an answer. */
export interface IWhen {
  readonly last?: readonly string[];
  readonly request?: readonly string[];
  readonly code?: readonly string[];
  readonly without?: readonly string[];
  readonly role?: 'user' | 'tool';
}

/** Something that goes wrong instead of an answer, or behind it. */
export interface IFault {
  readonly kind: string;
  readonly message?: string;
}

/** One answer, and when it is given. */
export interface IScriptedTurn {
  readonly name: string;
  readonly when: IWhen;
  readonly answer: readonly Item[];
  readonly tokens_per_second?: number;
  readonly fault?: IFault;
  /** Why the answer ends; without it, as a provider would say. */
  readonly finish?: 'stop' | 'length';
  /** What is reported; without it a few tokens, and nothing with null. */
  readonly usage?: ITokens | null;
  /** How often the answer is given; without it, always. */
  readonly times?: number;
}

/** The usage that the model reports of one answer. */
export interface ITokens {
  readonly prompt: number;
  readonly completion: number;
  readonly cached?: number;
}

/** Words of the answer. */
export function say(text: string): Item {
  return { text };
}

/** A cell that the model wants to run. */
export function cell(purpose: string, ...lines: readonly string[]): Item {
  return { purpose, code: lines.join('\n') };
}

/** A cell that leaves nothing in the notebook. */
export function scratch(purpose: string, ...lines: readonly string[]): Item {
  return { purpose, code: lines.join('\n'), scratch: true };
}

/** A look at variables or outputs, without a cell. */
export function look(names: readonly string[], detail = ''): Item {
  return { names, detail };
}

/** Lines of a cell that wait until the test makes a file beside the notebook. */
export function waitsFor(file: string): readonly string[] {
  return [
    'import pathlib, time',
    `while not pathlib.Path("${file}").exists():`,
    '    time.sleep(0.02)'
  ];
}

/** A point where the answer waits until the test releases it. */
export function gate(name: string): Item {
  return { gate: name };
}

/** The answer to a message of the person's whose request holds all of these. */
export function asked(
  words: string | readonly string[],
  ...answer: readonly Item[]
): IScriptedTurn {
  return turn('asked', 'user', words, answer);
}

/** The answer to a run's result that holds all of these. */
export function told(
  words: string | readonly string[],
  ...answer: readonly Item[]
): IScriptedTurn {
  return turn('told', 'tool', words, answer);
}

/** An answer that is given once; then the script goes on. */
export function once(turn: IScriptedTurn): IScriptedTurn {
  return { ...turn, name: `once: ${turn.name}`, times: 1 };
}

/** An answer with the usage that is reported of it. */
export function using(usage: ITokens, turn: IScriptedTurn): IScriptedTurn {
  return { ...turn, usage };
}

/** A block as a model writes it into its answer. */
export function block(info: string, ...lines: readonly string[]): Item {
  return say(['', '', '```' + info, ...lines, '```', ''].join('\n'));
}

/** A fault instead of the answer to a message of the person's. */
export function broken(words: string, fault: IFault): IScriptedTurn {
  return { ...asked(words), fault };
}

function turn(
  kind: string,
  role: 'user' | 'tool',
  words: string | readonly string[],
  answer: readonly Item[]
): IScriptedTurn {
  const last = typeof words === 'string' ? [words] : words;
  return { name: `${kind}: ${last.join(', ')}`, when: { last, role }, answer };
}
