import type { FastifyInstance, InjectOptions } from 'fastify';
import { vi } from 'vitest';
import type { OutboxMessage } from '../../src/areas/comms/outbox.ts';
import type { TestApp } from './app.ts';

type Headers = Record<string, string>;
type Members = Record<string, unknown>;

/** A response as tests compare it: `expect(response).toMatchObject({ status: 200, body: … })`. */
export interface TestResponse<Body = Members> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON; an empty object if the response is not JSON. */
  body: Body;
  text: string;
  bytes: Buffer;
}

export interface RequestOptions {
  headers?: Headers;
  query?: Record<string, string>;
  /** IP address of the sender. */
  from?: string;
}

/** What every request of a client has: see `as`, `at` and `from`. */
interface Defaults {
  headers: Headers;
  prefix: string;
  from: string | undefined;
}

/** The headers of a browser that opens a page. */
const navigation = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
};

/** The headers of a form on a page of the service. */
const formHeaders = (app: TestApp): Headers => ({
  ...navigation,
  'content-type': 'application/x-www-form-urlencoded',
  origin: app.services.baseOrigin,
  host: new URL(app.services.baseOrigin).host,
  'sec-fetch-site': 'same-origin',
});

const formBody = (values: Record<string, string | readonly string[]>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      [value].flat().map((item): [string, string] => [name, item]),
    ),
  ).toString();

function parseJson(type: unknown, text: string): unknown {
  return /[/+]json\b/.test(String(type)) && text !== '' ? JSON.parse(text) : {};
}

/** Sends one request to a part of the service that is no whole app. */
export async function request<Body = Members>(
  http: FastifyInstance,
  options: InjectOptions,
): Promise<TestResponse<Body>> {
  const { statusCode, headers, body, rawPayload } = await http.inject(options);
  const plainHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'number' ? String(value) : value,
    ]),
  );
  return {
    status: statusCode,
    headers: plainHeaders,
    body: parseJson(headers['content-type'], body) as Body,
    text: body,
    bytes: rawPayload,
  };
}

/**
 * Sends requests to an app in this process. `as(headers)`, `at(prefix)` and `from(address)` return
 * a client whose requests all have these headers, begin with this path, or come from this address.
 */
export class TestClient {
  readonly #app: TestApp;
  readonly #defaults: Defaults;

  constructor(app: TestApp, defaults: Defaults = { headers: {}, prefix: '', from: undefined }) {
    this.#app = app;
    this.#defaults = defaults;
  }

  as(headers: Headers): TestClient {
    return this.#with({ headers: { ...this.#defaults.headers, ...headers } });
  }

  at(prefix: string): TestClient {
    return this.#with({ prefix });
  }

  from(address: string): TestClient {
    return this.#with({ from: address });
  }

  #with(changed: Partial<Defaults>): TestClient {
    return new TestClient(this.#app, { ...this.#defaults, ...changed });
  }

  send<Body = Members>(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    payload?: object | string,
    { headers, query, from = this.#defaults.from }: RequestOptions = {},
  ): Promise<TestResponse<Body>> {
    return request<Body>(this.#app.http, {
      method,
      url: this.#defaults.prefix + url,
      headers: { ...this.#defaults.headers, ...headers },
      ...(query === undefined ? {} : { query }),
      ...(payload === undefined ? {} : { payload }),
      ...(from === undefined ? {} : { remoteAddress: from }),
    });
  }

  get<Body = Members>(url: string, options?: RequestOptions) {
    return this.send<Body>('GET', url, undefined, options);
  }

  post<Body = Members>(url: string, body?: object | string, options?: RequestOptions) {
    return this.send<Body>('POST', url, body, options);
  }

  put<Body = Members>(url: string, body?: object | string, options?: RequestOptions) {
    return this.send<Body>('PUT', url, body, options);
  }

  patch<Body = Members>(url: string, body?: object | string, options?: RequestOptions) {
    return this.send<Body>('PATCH', url, body, options);
  }

  delete<Body = Members>(url: string, body?: object | string, options?: RequestOptions) {
    return this.send<Body>('DELETE', url, body, options);
  }

  /** Opens a page, as a browser does. */
  page(url: string, { headers, ...options }: RequestOptions = {}): Promise<TestResponse> {
    return this.send('GET', url, undefined, {
      ...options,
      headers: { ...navigation, ...headers },
    });
  }

  /** Submits a form from a page of the service, as a browser does. */
  form(
    url: string,
    values: Record<string, string | readonly string[]>,
    { headers, ...options }: RequestOptions = {},
  ): Promise<TestResponse> {
    return this.send('POST', url, formBody(values), {
      ...options,
      headers: { ...formHeaders(this.#app), ...headers },
    });
  }

  /** Returns the messages to an address or number so far, newest first. */
  outbox(to: string): OutboxMessage[] {
    return this.#app.services.outbox.list(to);
  }

  /** Waits for a message to an address or number beyond the first `after`. Returns the newest. */
  mailTo(to: string, { after = 0 } = {}): Promise<OutboxMessage> {
    return vi.waitFor(
      () => {
        const messages = this.outbox(to);
        const [newest] = messages;
        if (newest === undefined || messages.length <= after)
          throw new Error(`no message to ${to}`);
        return newest;
      },
      { timeout: 10_000, interval: 10 },
    );
  }

  /** Waits until every queued job is done. */
  settled(): Promise<void> {
    return this.#app.settled();
  }
}
