import type {
  FoundServer,
  FoundServers,
  ModelName
} from '../protocol/generated';
import { never } from '../state/never';
import {
  draftOfFound,
  type IModelDraft,
  isSame,
  nameOf,
  withAddress
} from './modelDraft';

/** How far the search for model servers has come. */
export type ServerSearch =
  | { readonly kind: 'unasked' | 'looking' | 'nothing' }
  | { readonly kind: 'found'; readonly servers: readonly FoundServer[] }
  | { readonly kind: 'refused' | 'failed'; readonly sentence: string };

/** What the person took of what was found. */
export type Taken =
  | { readonly kind: 'model'; readonly name: ModelName }
  | { readonly kind: 'address'; readonly base: string };

/** The draft with what was taken in it. */
export function withTaken(draft: IModelDraft, taken: Taken): IModelDraft {
  switch (taken.kind) {
    case 'model':
      return draftOfFound(taken.name);
    case 'address':
      return withAddress(draft, taken.base);
    default:
      return never(taken);
  }
}

/** Whether what was taken is still in the draft. */
export function isIn(taken: Taken, draft: IModelDraft): boolean {
  switch (taken.kind) {
    case 'model':
      return isSame(taken.name, nameOf(draft));
    case 'address':
      return draft.base.trim() === taken.base;
    default:
      return never(taken);
  }
}

/** What the server's answer comes to. */
export function searchOf({ servers, refused }: FoundServers): ServerSearch {
  if (refused !== null) {
    return { kind: 'refused', sentence: refused };
  }
  return servers.length > 0 ? { kind: 'found', servers } : { kind: 'nothing' };
}

/** The servers that a search has found. */
export function serversIn(search: ServerSearch): readonly FoundServer[] {
  return search.kind === 'found' ? search.servers : [];
}
