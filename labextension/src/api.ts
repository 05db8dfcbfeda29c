import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';

import type {
  Budgets,
  FoundServers,
  ModelCheck,
  ModelName,
  ModelSettings,
  Output,
  ServerStatus,
  TourNotebook,
  TourRequest
} from './protocol/generated';
import { isObject, parseJson } from './protocol/guards';

/**
 * A request over REST that failed; `message` is a sentence for the person.
 */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** An output that is there, not only referred to. */
export type StoredOutput = Exclude<Output, { output_type: 'blob' }>;

/**
 * What is asked of the server outside the channel; every call rejects with `ApiError`.
 */
export class Api {
  constructor(
    settings: ServerConnection.ISettings = ServerConnection.makeSettings()
  ) {
    this._settings = signedIn(settings);
  }

  /**
   * What the panel needs to know before the first message.
   */
  async status(): Promise<ServerStatus> {
    return (await this._object('GET', ['status'])) as unknown as ServerStatus;
  }

  /**
   * Choose the model.
   */
  async saveSettings(settings: ModelSettings): Promise<ServerStatus> {
    const answer = await this._object('PUT', ['settings'], settings);
    return answer as unknown as ServerStatus;
  }

  /**
   * Try a model: what was tried and what came back.
   */
  async checkModel(settings: ModelSettings): Promise<ModelCheck> {
    const answer = await this._object('POST', ['models', 'check'], settings);
    return answer as unknown as ModelCheck;
  }

  /**
   * Look for model servers on the machine of the Jupyter server.
   */
  async findServers(): Promise<FoundServers> {
    const answer = await this._object('POST', ['models', 'find']);
    return answer as unknown as FoundServers;
  }

  /**
   * Forget what was learned about a model.
   */
  async forgetModel({ model, api_base }: ModelName): Promise<ServerStatus> {
    const name: ModelName = { model, api_base };
    const answer = await this._object('POST', ['models', 'forget'], name);
    return answer as unknown as ServerStatus;
  }

  /**
   * Set the person's own budgets.
   */
  async saveBudgets(budgets: Budgets): Promise<ServerStatus> {
    const answer = await this._object('PUT', ['budgets'], budgets);
    return answer as unknown as ServerStatus;
  }

  /**
   * Make the tour's own notebook in a directory below the server's root.
   */
  async startTour(directory: string): Promise<TourNotebook> {
    const request: TourRequest = { directory };
    const answer = await this._object('POST', ['tour'], request);
    return answer as unknown as TourNotebook;
  }

  /**
   * Fetch the text of a blob; it never changes, so the browser may keep it.
   */
  async blob(threadId: string, blobId: string): Promise<string> {
    const path = ['blobs', threadId, blobId];
    const response = await this._request('GET', path, undefined, 'default');
    const text = await response.text().catch(rethrowUnreachable);
    if (!response.ok) {
      throw asError(response.status, parseJson(text));
    }
    return text;
  }

  /**
   * Fetch the output that a blob holds.
   */
  async output(threadId: string, blobId: string): Promise<StoredOutput> {
    const value = parseJson(await this.blob(threadId, blobId));
    if (!isStoredOutput(value)) {
      throw unreadable();
    }
    return value;
  }

  private readonly _settings: ServerConnection.ISettings;

  private async _object(
    method: 'GET' | 'PUT' | 'POST',
    path: readonly string[],
    body?: object
  ): Promise<Record<string, unknown>> {
    const response = await this._request(method, path, body, 'no-store');
    const answer = parseJson(await response.text().catch(rethrowUnreachable));
    if (!response.ok) {
      throw asError(response.status, answer);
    }
    if (!isObject(answer)) {
      throw unreadable();
    }
    return answer;
  }

  private _request(
    method: 'GET' | 'PUT' | 'POST',
    path: readonly string[],
    body: object | undefined,
    cache: RequestCache
  ): Promise<Response> {
    const parts = path.map(encodeURIComponent);
    const url = URLExt.join(this._settings.baseUrl, 'cave-lab', ...parts);
    const init = { method, cache, body: body && JSON.stringify(body) };
    return ServerConnection.makeRequest(url, init, this._settings).catch(
      rethrowUnreachable
    );
  }
}

/**
 * Where the page's cookie goes along, no token is sent: the server lets only a cookie decide, and a
 * hub gives its pages a token too.
 */
function signedIn(
  settings: ServerConnection.ISettings
): ServerConnection.ISettings {
  return settings.appendToken ? settings : { ...settings, token: '' };
}

function asError(status: number, answer: unknown): ApiError {
  if (
    isObject(answer) &&
    typeof answer.code === 'string' &&
    typeof answer.message === 'string'
  ) {
    return new ApiError(answer.code, answer.message);
  }
  switch (status) {
    case 401:
    case 403:
      return new ApiError(
        'forbidden',
        'The server does not let this page in, so nothing was changed. Sign in again and reload the page.'
      );
    case 404:
      return new ApiError(
        'not_found',
        'This server does not answer for CaveLab. Enable its server extension (jupyter server extension enable cave_lab) and start the server again.'
      );
    default:
      return new ApiError(
        'server_error',
        `The server answered with status ${status}. Try again; if it stays, look into the server's log.`
      );
  }
}

function isStoredOutput(value: unknown): value is StoredOutput {
  return (
    isObject(value) &&
    ['stream', 'display_data', 'execute_result', 'error'].includes(
      String(value.output_type)
    )
  );
}

function unreadable(): ApiError {
  return new ApiError(
    'unreadable',
    "The server's answer can't be read. Reload the page; if it stays, update CaveLab."
  );
}

function rethrowUnreachable(error: unknown): never {
  if (error instanceof TypeError) {
    throw new ApiError(
      'unreachable',
      "The Jupyter server can't be reached, so it is not known whether anything was changed. Check that it runs, then try again."
    );
  }
  throw error;
}
