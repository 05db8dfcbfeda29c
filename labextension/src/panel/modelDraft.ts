import type {
  LearnedFormat,
  ModelName,
  ModelOptions,
  ModelSettings,
  ServerStatus
} from '../protocol/generated';
import { readWindow, type WindowText, writeWindow } from './windowText';

/** Nothing decided: CaveLab and the provider choose. */
export const UNDECIDED: ModelOptions = {
  format: null,
  plain_fences_run: false,
  effort: null,
  window: null,
  sees: null
};

/**
 * A choice of model as it stands in the form.
 */
export interface IModelDraft {
  readonly model: string;
  readonly base: string;
  readonly key: string;
  /** How it works, once the person has changed that here; null until then. */
  readonly options: ModelOptions | null;
  /** What is written as its context window, once the person has changed that here. */
  readonly window: string | null;
}

/** Nothing said here of how the model works. */
const AS_KNOWN = { options: null, window: null };

/** What the form begins with; the tour is no model of the person's. */
export function draftOf(status: ServerStatus): IModelDraft {
  const own = status.model?.model === status.tour_model ? null : status.model;
  return {
    model: own?.model ?? '',
    base: own?.api_base ?? '',
    key: own?.key_env ?? '',
    ...AS_KNOWN
  };
}

/** A model found on a server; such a server asks for no key. */
export function draftOfFound({ model, api_base }: ModelName): IModelDraft {
  return { model, base: api_base ?? '', key: '', ...AS_KNOWN };
}

/**
 * The draft with the address of a found server, a model of which has to be named yet, and its key:
 * one that was named for another address is not sent there.
 */
export function withAddress(draft: IModelDraft, base: string): IModelDraft {
  return draft.base.trim() === base
    ? draft
    : { model: '', base, key: '', ...AS_KNOWN };
}

/** The draft as it is saved or tried. */
export function settingsOf(
  draft: IModelDraft,
  status: ServerStatus
): ModelSettings {
  return {
    ...nameOf(draft),
    key_env: draft.key.trim() || null,
    options: optionsOf(draft, status)
  };
}

/** How the model in the form works: as the person said here, or else as is known of it. */
export function optionsOf(
  draft: IModelDraft,
  status: ServerStatus
): ModelOptions {
  const name = nameOf(draft);
  const known = [...status.memories, ...(status.model ? [status.model] : [])];
  const options =
    draft.options ?? known.find(one => isSame(one, name))?.options ?? UNDECIDED;
  return draft.window === null
    ? options
    : { ...options, window: tokensOf(readWindow(draft.window)) };
}

/** What stands in the field for the context window. */
export function windowOf(draft: IModelDraft, status: ServerStatus): string {
  return draft.window ?? writeWindow(optionsOf(draft, status).window);
}

function tokensOf(window: WindowText): number | null {
  return window.kind === 'tokens' ? window.value : null;
}

/** What was learned about the model in the form, or null. */
export function learnedOf(
  draft: IModelDraft,
  status: ServerStatus
): LearnedFormat | null {
  const name = nameOf(draft);
  return status.memories.find(one => isSame(one, name))?.learned ?? null;
}

/** Whether two names are of one model at one address. */
export function isSame(one: ModelName, other: ModelName): boolean {
  return one.model === other.model && one.api_base === other.api_base;
}

/** The model that the form names. */
export function nameOf(draft: IModelDraft): ModelName {
  return { model: draft.model.trim(), api_base: draft.base.trim() || null };
}
