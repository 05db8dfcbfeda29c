import { ServerInfo } from '../../src/panel/serverInfo';
import type { ModelName, ServerStatus } from '../../src/protocol/generated';
import { memory, remembering } from '../support/model';
import { Stage, STATUS } from '../support/panel';
import { until } from '../support/until';

const ONE: ModelName = { model: 'one', api_base: null };
const TWO: ModelName = { model: 'two', api_base: null };

describe('what the server says of itself', () => {
  it('has after a trial what the trial taught', async () => {
    const { api } = new Stage();
    const check = {
      ok: true,
      tried: 'It.',
      outcome: 'It works.',
      detail: null,
      tools: true
    };
    api.checkModel = () => Promise.resolve(check);
    api.status = () => Promise.resolve(remembering(memory()));
    const server = new ServerInfo(api);
    await expect(server.check(STATUS.model!)).resolves.toBe(check);
    expect(server.status?.memories).toEqual([memory()]);
  });

  it('is not what it was before a change, though that answer comes last', async () => {
    const { api } = new Stage();
    const answers: ((status: ServerStatus) => void)[] = [];
    api.status = () => new Promise(resolve => answers.push(resolve));
    const server = new ServerInfo(api);
    const loaded = server.load();
    const model = { ...STATUS.model!, model: 'another/model' };
    await server.save(model);
    answers[0](STATUS);
    await until(() => answers.length === 2, 'the status is asked for again');
    expect(server.status?.model).toEqual(model);
    answers[1]({ ...STATUS, model });
    await loaded;
    expect(server.status?.model).toEqual(model);
  });

  it('has forgotten the models before one that the server could not forget', async () => {
    const { api } = new Stage();
    api.forgetModel = ({ model }) =>
      model === 'one'
        ? Promise.resolve(remembering(memory(TWO)))
        : Promise.reject(new Error('The disk is full.'));
    const server = new ServerInfo(api);
    await expect(server.forget([ONE, TWO])).rejects.toThrow(
      'The disk is full.'
    );
    expect(server.status?.memories).toEqual([memory(TWO)]);
  });
});
