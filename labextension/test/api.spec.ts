import { Api } from '../src/api';
import type {
  Budgets,
  ModelSettings,
  StreamOutput
} from '../src/protocol/generated';
import { TestServer } from './support/server';

const SETTINGS: ModelSettings = {
  model: 'some/model',
  api_base: null,
  key_env: 'SOME_KEY',
  options: {
    format: 'fences',
    plain_fences_run: true,
    effort: 'low',
    window: null,
    sees: false
  }
};
const BUDGETS: Budgets = {
  turn: { runs: 3, tokens: null, cost: 0.5, seconds: 60 },
  thread: { runs: null, tokens: 1_000, cost: null, seconds: null }
};
const BLOB = '/base/cave-lab/blobs/th-1/' + 'b'.repeat(64);

let server: TestServer;
let api: Api;

beforeEach(async () => {
  server = await TestServer.start();
  api = new Api(server.settings);
});

afterEach(() => server.stop());

function answer(key: string, body: unknown, status = 200): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  server.http.set(key, { status, body: text });
}

describe('over REST, CaveLab', () => {
  it('tells what the panel needs to know', async () => {
    answer('GET /base/cave-lab/status', { version: '0.1.0' });
    await expect(api.status()).resolves.toEqual({ version: '0.1.0' });
    expect(server.requests[0].headers).toMatchObject({
      authorization: 'token secret'
    });
  });

  it('lets the cookie of its own server speak, not the token of the page', async () => {
    answer('PUT /base/cave-lab/settings', { model: SETTINGS });
    const page = { ...server.settings, appendToken: false };
    await new Api(page).saveSettings(SETTINGS);
    expect(server.requests[0].headers).not.toHaveProperty('authorization');
  });

  it('takes the choice of a model, and tries one', async () => {
    answer('PUT /base/cave-lab/settings', { model: SETTINGS });
    answer('POST /base/cave-lab/models/check', { ok: true });
    await expect(api.saveSettings(SETTINGS)).resolves.toEqual({
      model: SETTINGS
    });
    await expect(api.checkModel(SETTINGS)).resolves.toEqual({ ok: true });
    for (const { body } of server.requests) {
      expect(JSON.parse(body)).toEqual(SETTINGS);
    }
  });

  it('asks for model servers with nothing but the question', async () => {
    const found = { servers: [], refused: null };
    answer('POST /base/cave-lab/models/find', found);
    await expect(api.findServers()).resolves.toEqual(found);
    expect(server.requests[0].body).toBe('');
  });

  it('forgets a model by its name and address alone', async () => {
    answer('POST /base/cave-lab/models/forget', { memories: [] });
    const memory = { ...SETTINGS, api_base: 'http://localhost:1/v1' };
    await expect(api.forgetModel(memory)).resolves.toEqual({ memories: [] });
    expect(JSON.parse(server.requests[0].body)).toEqual({
      model: 'some/model',
      api_base: 'http://localhost:1/v1'
    });
  });

  it('sets the budgets of the person', async () => {
    answer('PUT /base/cave-lab/budgets', { budgets: BUDGETS });
    await expect(api.saveBudgets(BUDGETS)).resolves.toEqual({
      budgets: BUDGETS
    });
    expect(JSON.parse(server.requests[0].body)).toEqual(BUDGETS);
  });

  it('makes the notebook of the tour where it is told', async () => {
    answer('POST /base/cave-lab/tour', { path: 'work/tour.ipynb' });
    await expect(api.startTour('work')).resolves.toEqual({
      path: 'work/tour.ipynb'
    });
    expect(server.requests[0].body).toBe('{"directory":"work"}');
  });

  it('gives a blob as text, and as the output that it holds', async () => {
    const output: StreamOutput = {
      output_type: 'stream',
      name: 'stdout',
      text: 'long'
    };
    answer(`GET ${BLOB}`, output);
    const id = 'b'.repeat(64);
    await expect(api.blob('th-1', id)).resolves.toBe(JSON.stringify(output));
    await expect(api.output('th-1', id)).resolves.toEqual(output);
  });

  it('does not take a blob for an output that is none', async () => {
    answer(`GET ${BLOB}`, { output_type: 'blob' });
    const output = api.output('th-1', 'b'.repeat(64));
    await expect(output).rejects.toMatchObject({ code: 'unreadable' });
  });
});

describe('a request that fails', () => {
  it('says what the server says', async () => {
    const said = { code: 'locked', message: 'The model is set by the server.' };
    answer('PUT /base/cave-lab/settings', said, 409);
    await expect(api.saveSettings(SETTINGS)).rejects.toMatchObject({
      name: 'ApiError',
      ...said
    });
  });

  it.each([
    [403, 'forbidden'],
    [401, 'forbidden'],
    [404, 'not_found'],
    [502, 'server_error']
  ])('with status %d and no words is told as %s', async (status, code) => {
    answer('GET /base/cave-lab/status', '<html>Proxy</html>', status);
    await expect(api.status()).rejects.toMatchObject({ code });
    await expect(api.blob('th-1', 'none')).rejects.toMatchObject({
      name: 'ApiError'
    });
  });

  it('says that the answer makes no sense', async () => {
    answer('GET /base/cave-lab/status', '<html>Sign in</html>');
    await expect(api.status()).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('says that the server is not there', async () => {
    const gone = await TestServer.start();
    const { settings } = gone;
    await gone.stop();
    await expect(new Api(settings).status()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining("can't be reached") as string
    });
  });
});
