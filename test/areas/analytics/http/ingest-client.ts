import { randomUUID } from 'node:crypto';
import {
  asAdmin,
  browser,
  freshApp,
  type FreshApp,
  type FreshAppOptions,
} from '../../../support/app.ts';

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  body: Record<string, unknown>;
}

export interface Result {
  accepted: number;
  duplicates: number;
  rejected: { index: number; id?: string; code: string; message: string; field?: string }[];
  dropped: { index: number; reason: string; field?: string }[];
  request_id: string;
}

export type Row = Record<string, unknown> & { id: string };

export const track = '/analytics/track/';
export const batch = '/analytics/batch/';

/** Returns a unique site id. */
export const newSite = (): string => `site-${randomUUID().slice(0, 8)}`;

export type IngestClient = Awaited<ReturnType<typeof openIngest>>;

/** Starts the whole service, with what trackers, API clients and site owners do with it. */
export async function openIngest(options: FreshAppOptions = {}) {
  const app: FreshApp = await freshApp(options);

  async function ask(
    method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'OPTIONS' | 'DELETE',
    url: string,
    headers: Record<string, string | string[]> = {},
    payload?: object | string | Buffer,
  ): Promise<Answer> {
    const answer = await app.http.inject({
      method,
      url,
      headers: { 'user-agent': browser, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    const isJson =
      String(answer.headers['content-type']).includes('json') &&
      !String(answer.headers['content-type']).includes('ndjson');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson && answer.body !== '' ? answer.json<Record<string, unknown>>() : {},
    };
  }

  /** Posts events and returns the result. Throws unless the answer is 200. */
  async function store(
    url: string,
    payload: object,
    headers: Record<string, string> = {},
  ): Promise<Result> {
    const answer = await ask('POST', url, headers, payload);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body as unknown as Result;
  }

  /** Returns all stored events of a site, once every acknowledged event is in the store. */
  async function rows(siteId: string): Promise<Row[]> {
    await app.applied();
    const { status, text } = await ask('POST', '/analytics/export/events/', asAdmin, {
      site_id: siteId,
    });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  }

  /** Returns the dashboard of a site, with current drop counters. */
  async function figures(siteId: string, query = ''): Promise<Record<string, unknown>> {
    await app.services.ingest.flushDrops();
    await app.applied();
    const { status, text, body } = await ask(
      'GET',
      `/analytics/dashboard/?site_id=${siteId}${query}`,
      asAdmin,
    );
    if (status !== 200) throw new Error(`${status} ${text}`);
    return body;
  }

  /** Creates an API key with these scopes and returns it as headers. */
  async function keyWith(...scopes: string[]): Promise<{ authorization: string }> {
    const { body } = await ask('POST', '/api/v1/api-keys', asAdmin, { name: 'test', scopes });
    return { authorization: `Bearer ${String(body.key)}` };
  }

  return { app, ask, store, rows, figures, keyWith, close: app.close };
}
