import {
  draftOf,
  type IModelDraft,
  learnedOf,
  optionsOf,
  settingsOf,
  UNDECIDED,
  withFound
} from '../../src/panel/modelDraft';
import type { ModelOptions } from '../../src/protocol/generated';
import { memory, REFUSED_TOOLS, remembering } from '../support/model';
import { STATUS } from '../support/panel';

const LOCAL = 'http://localhost:11434/v1';
const FENCES: ModelOptions = { ...UNDECIDED, format: 'fences' };
const draft = (set: Partial<IModelDraft> = {}): IModelDraft => ({
  ...draftOf(STATUS),
  ...set
});

describe('the choice of model in the form', () => {
  it('begins with the model that is chosen, and empty after the tour', () => {
    expect(draft().model).toBe('some/model');
    const model = { ...STATUS.model!, model: STATUS.tour_model };
    expect(draftOf({ ...STATUS, model }).model).toBe('');
  });

  it('works as is remembered of this model at this address', () => {
    const status = remembering(
      memory({ options: FENCES }),
      memory({ api_base: LOCAL, options: { ...FENCES, effort: 'high' } })
    );
    expect(optionsOf(draft(), status)).toEqual(FENCES);
    expect(optionsOf(draft({ base: ` ${LOCAL} ` }), status).effort).toBe(
      'high'
    );
    expect(optionsOf(draft({ model: 'other' }), status)).toEqual(UNDECIDED);
  });

  it('works as the chosen model was set where nothing is remembered', () => {
    const status = {
      ...STATUS,
      model: { ...STATUS.model!, options: FENCES }
    };
    expect(optionsOf(draft(), status)).toEqual(FENCES);
  });

  it('works as the person says, whatever is remembered', () => {
    const status = remembering(memory({ options: FENCES }));
    const options: ModelOptions = { ...UNDECIDED, format: 'tools' };
    expect(optionsOf(draft({ options }), status)).toBe(options);
  });

  it('knows what was learned of this model, and of no other', () => {
    const status = remembering(memory());
    expect(learnedOf(draft(), status)).toBe(REFUSED_TOOLS);
    expect(learnedOf(draft({ base: LOCAL }), status)).toBeNull();
  });

  it('takes a found model with its address, and no key along', () => {
    const found = { model: 'openai/qwen3', api_base: LOCAL };
    const taken = withFound(draft({ key: 'SOME_API_KEY' }), found);
    expect(settingsOf(taken, STATUS)).toEqual({
      ...found,
      key_env: null,
      options: UNDECIDED
    });
  });
});
