import type {
  LearnedFormat,
  ModelMemory,
  ServerStatus
} from '../../src/protocol/generated';
import { UNDECIDED } from '../../src/panel/modelDraft';
import { STATUS } from './panel';

export const REFUSED_TOOLS: LearnedFormat = {
  format: 'fences',
  reason: 'tools_refused',
  at: '2026-11-28T12:00:00Z'
};

/** What is known of a model. */
export function memory(set: Partial<ModelMemory> = {}): ModelMemory {
  return {
    model: 'some/model',
    api_base: null,
    options: UNDECIDED,
    learned: REFUSED_TOOLS,
    ...set
  };
}

/** A server that remembers models. */
export function remembering(...memories: ModelMemory[]): ServerStatus {
  return { ...STATUS, memories };
}
