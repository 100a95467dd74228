import { randomUUID } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import {
  asAdmin,
  browser,
  freshApp,
  type FreshAppOptions,
  type TestApp,
} from '../../support/app.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';
import { type Profile, sharedApp } from '../../support/shared-app.ts';
import { type Row, rowsIn } from './site-data.ts';

/** What the endpoints for events return. */
export interface Result {
  accepted: number;
  duplicates: number;
  rejected: { index: number; id?: string; code: string; message: string; field?: string }[];
  dropped: { index: number; reason: string; field?: string }[];
  request_id: string;
}

export interface Share {
  id: string;
  url: string;
  /** The path of `url`. */
  path: string;
}

export const track = '/analytics/track/';
export const batch = '/analytics/batch/';
export const exportUrl = '/analytics/export/events/';

/** Returns a unique site id. */
export const newSite = (): string => `site-${randomUUID().slice(0, 8)}`;

/** An event as trackers send it: by default a view of the page `/`. */
export const view = (site: string, more: object = {}) => ({
  event: 'pageview',
  url: '/',
  site_id: site,
  ...more,
});

/** Begins a request over a real socket. It may be destroyed at any time. */
export function beginRequest(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
): ClientRequest {
  const request = httpRequest({ port, path, method, agent: false, headers });
  return request.on('error', () => undefined);
}

/** What trackers, API clients and site owners do with a service. */
export class Analytics {
  readonly app: TestApp;

  constructor(app: TestApp) {
    this.app = app;
  }

  /** A browser without a credential. */
  get tracker(): TestClient {
    return new TestClient(this.app).as({ 'user-agent': browser });
  }

  get admin(): TestClient {
    return this.tracker.as(asAdmin);
  }

  /** Creates an API key with these scopes. */
  async keyHeaders(...scopes: string[]): Promise<{ authorization: string }> {
    const { body } = await this.admin.post('/api/v1/api-keys', { name: 'test', scopes });
    return { authorization: `Bearer ${String(body.key)}` };
  }

  /** A client with an API key of these scopes. */
  async key(...scopes: string[]): Promise<TestClient> {
    return this.tracker.as(await this.keyHeaders(...scopes));
  }

  async registerSite(site = newSite()): Promise<string> {
    const { status, text } = await this.admin.post('/analytics/sites', { site_id: site });
    if (status !== 201) throw new Error(`${status} ${text}`);
    return site;
  }

  /** Posts events. Throws unless the answer is 200. */
  async store(url: string, payload: object, by = this.tracker): Promise<Result> {
    const { status, text, body } = await by.post<Result>(url, payload);
    if (status !== 200) throw new Error(`${status} ${text}`);
    return body;
  }

  /** Stores events with the admin key, and waits until the figures count them. */
  async fill(...events: object[]): Promise<void> {
    await this.store(batch, { events }, this.admin);
    await this.app.applied();
  }

  /** Creates a share link. Throws unless it is created. */
  async createShare(site: string, body: object = {}): Promise<Share> {
    const response = await this.admin.post<{ id: string; url: string }>(
      `/analytics/sites/${site}/shares`,
      { name: 'The agency', ...body },
    );
    if (response.status !== 201) throw new Error(`${response.status} ${response.text}`);
    const { id, url } = response.body;
    return { id, url, path: new URL(url).pathname };
  }

  /** Requests the image that counts a page view. */
  pixel(query: string, headers: Record<string, string> = {}) {
    return this.tracker.get(`/analytics/pixel.gif${query}`, { headers });
  }

  /** Returns all stored events of a site, once every acknowledged event is in the store. */
  async rows(site: string): Promise<Row[]> {
    await this.app.applied();
    const { status, text } = await this.admin.post(exportUrl, { site_id: site });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return rowsIn(text);
  }

  /** Returns the dashboard of a site, with current drop counters. */
  async figures(site: string, query = ''): Promise<Record<string, unknown>> {
    await this.app.services.ingest.flushDrops();
    await this.app.applied();
    const { status, text, body } = await this.admin.get(
      `/analytics/dashboard/?site_id=${site}${query}`,
    );
    if (status !== 200) throw new Error(`${status} ${text}`);
    return body;
  }

  /** Returns what the audit log has about something of a site, newest first. */
  async auditEntries(target: unknown): Promise<{ action: string; details: object }[]> {
    const { body } = await this.admin.get<{ data: { action: string; details: object }[] }>(
      `/api/v1/audit?action=analytics.*&target_id=${String(target)}`,
    );
    return body.data.map(({ action, details }) => ({ action, details }));
  }
}

/** Gives the tests of a file a service of their own. */
export const useAnalytics = async (options: FreshAppOptions = {}) =>
  new Analytics(await freshApp(options));

/**
 * Lets the tests of a file use the shared service, on their clock. It keeps the sites of
 * other files.
 */
export const useSharedAnalytics = async ({
  profile = 'plain',
  ...options
}: { profile?: Profile; clock?: Clock } = {}) => new Analytics(await sharedApp(profile, options));

type Send = (by: TestClient) => Promise<TestResponse>;

/** Expects that a request needs a key that may read figures, and that refusals show none. */
export async function expectReadersOnly(analytics: Analytics, send: Send): Promise<void> {
  const unauthenticated = await send(analytics.tracker);
  expect(unauthenticated).toBeProblem(401, 'request.unauthenticated');
  expect(unauthenticated.headers['www-authenticate']).toMatch(/^Bearer/);
  const forbidden = await send(await analytics.key('analytics:write'));
  expect(forbidden).toBeProblem(403, 'request.forbidden');
  expect(forbidden.body.required_scope).toBe('analytics:read');
  const allowed = await send(await analytics.key('analytics:read'));
  expect(allowed).toMatchObject({ status: 200 });
  for (const member of Object.keys(allowed.body)) {
    for (const { text } of [unauthenticated, forbidden]) expect(text).not.toContain(`"${member}"`);
  }
}

/** Expects that requests are refused without a key and with one that may only read. */
export async function expectAdminsOnly(analytics: Analytics, ...sends: Send[]): Promise<void> {
  const reader = await analytics.key('analytics:read');
  for (const send of sends) {
    expect(await send(analytics.tracker)).toBeProblem(401, 'request.unauthenticated');
    expect(await send(reader)).toBeProblem(403, 'request.forbidden');
  }
}
