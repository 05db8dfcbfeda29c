import {
  draftOf,
  draftOfFound,
  type IModelDraft,
  learnedOf,
  optionsOf,
  settingsOf,
  UNDECIDED,
  withAddress
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

  it('takes a found model with its address, and neither key nor settings of another along', () => {
    const found = { model: 'openai/qwen3', api_base: LOCAL };
    const taken = draftOfFound(found);
    expect(settingsOf(taken, STATUS)).toEqual({
      ...found,
      key_env: null,
      options: UNDECIDED
    });
  });

  it('sends the key of another address to no server that was found', () => {
    const before = draft({ key: 'OPENAI_API_KEY', options: FENCES });
    const taken = withAddress(before, LOCAL);
    expect(taken).toEqual({
      model: '',
      base: LOCAL,
      key: '',
      options: null,
      window: null
    });
    const named = { ...taken, model: 'openai/x', key: 'LOCAL_KEY' };
    expect(withAddress(named, LOCAL)).toBe(named);
  });
});
