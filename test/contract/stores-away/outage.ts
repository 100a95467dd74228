import type { RouteOptions } from 'fastify';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { migrations } from '../../../src/app/migrations.ts';
import { openDatabase, pingDatabase } from '../../../src/platform/database/database.ts';
import { pingRedis } from '../../../src/platform/redis/redis.ts';
import { requestedContent } from '../../support/abuse.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { openWayTo } from '../../platform/database/engines.ts';
import { nameOf, type Row, type Sent } from './rows.ts';
import { createWorld, newAddress } from './world.ts';

/** A store that can be away. */
export type Store = 'redis' | 'postgres';

/** A row whose request is ready to be sent, again and again. */
export interface Prepared {
  row: Row;
  isSentBefore: boolean;
  send: () => Promise<TestResponse>;
}

/** How a request was answered. */
export interface Answered extends TestResponse {
  row: Row;
  ms: number;
}

const urlOf = ({ url }: RouteOptions, { params = {} }: Sent): string =>
  url.replaceAll(/:(\w+)/g, (_match, name: string) => params[name] ?? '(missing)');

function sendTo(app: FreshApp, route: RouteOptions, sent: Sent): Promise<TestResponse> {
  const { headers = {}, query, body, form } = sent;
  const client = new TestClient(app).as(headers).from(newAddress());
  const options = query === undefined ? {} : { query };
  const url = urlOf(route, sent);
  return form === undefined
    ? client.send([route.method].flat()[0] as 'GET', url, body, options)
    : client.form(url, form, options);
}

/** Works on a few at a time: a store that is late counts as away, too. */
async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 40)
    results.push(...(await Promise.all(items.slice(at, at + 40).map(work))));
  return results;
}

/** Sends all requests, and notes how long each answer took. */
export const askAll = (prepared: readonly Prepared[]): Promise<Answered[]> =>
  mapSome(prepared, async ({ row, send }) => {
    const began = performance.now();
    const response = await send();
    return { ...response, row, ms: performance.now() - began };
  });

/** A service whose stores can be cut off. Its clock can be moved. */
export async function createOutage() {
  const [redis, server] = [await testRedisUrl(), await newServerDatabase({ hasTables: true })];
  const ways = { redis: await openWayTo(redis), postgres: await openWayTo(server.url) };
  let ahead = 0;
  const app = await freshApp({
    clock: { now: () => Date.now() + ahead },
    databaseUrl: ways.postgres.url,
    env: {
      REDIS_URL: ways.redis.url,
      BASE_URL: 'https://svc.example',
      DEVICE_BINDING: 'none',
      RATE_LIMIT: 'on',
    },
  });
  await app.services.queues.start();
  // Reads the database while the service can't.
  const db = await openDatabase({ url: server.url, logger: pino({ level: 'silent' }), migrations });
  const world = createWorld(app);
  const routes = () => app.http.registeredRoutes.filter(({ method }) => method !== 'HEAD');

  async function prepare(row: Row): Promise<Prepared> {
    const route = routes().find(({ schema }) => schema?.operationId === row.operation);
    if (route === undefined) throw new Error(`no route is ${row.operation}`);
    const sent = await Promise.resolve(row.request(world)).catch((cause: unknown) => {
      throw new Error(`${nameOf(row)} could not be prepared`, { cause });
    });
    return { row, isSentBefore: sent.isSentBefore === true, send: () => sendTo(app, route, sent) };
  }

  return {
    app,
    routes,
    /**
     * Makes the requests of all rows. A minute passes, so that forms are not sent too fast, and
     * what the service remembers is old.
     */
    async prepareAll(rows: readonly Row[]): Promise<Prepared[]> {
      const prepared = await mapSome(rows, prepare);
      await app.settled();
      await askAll(prepared.filter(({ isSentBefore }) => isSentBefore));
      ahead += 61_000;
      return prepared;
    },

    cut: (store: Store) => ways[store].cut(),

    /** Lets the service reach the store, and waits until it does. */
    async mend(store: Store): Promise<void> {
      await ways[store].mend();
      await vi.waitFor(
        async () => {
          await Promise.all([pingDatabase(app.stores.db), pingRedis(app.services.redis)]);
          await app.services.queues.observe();
          expect(app.services.redis.status).toBe('ready');
        },
        { timeout: 10_000, interval: 20 },
      );
    },

    /** What requests have stored, without the audit log, which keeps what was tried. */
    async content(): Promise<Map<string, string>> {
      const rows = await requestedContent({ stores: { db } });
      rows.delete('audit_events');
      return rows;
    },

    async close(): Promise<void> {
      await app.close();
      await db.destroy();
      for (const way of Object.values(ways)) way.cut();
      await server.remove();
    },
  };
}

export type Outage = Awaited<ReturnType<typeof createOutage>>;
