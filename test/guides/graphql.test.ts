import { systemActor } from '../../src/platform/http/requests/request-actor.ts';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { listen } from '../support/sockets.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { WebSocket } from 'ws';
import { adminKey, type TestApp } from '../support/app.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

let app: TestApp;
let origin = '';
// Node 20 has no global WebSocket; browsers and later versions do.
const before = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');

beforeAll(async () => {
  await requireCurl();
  Object.defineProperty(globalThis, 'WebSocket', {
    value: WebSocket,
    configurable: true,
    writable: true,
  });
  app = await sharedApp();
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);
afterAll(async () => {
  if (before === undefined) Reflect.deleteProperty(globalThis, 'WebSocket');
  else Object.defineProperty(globalThis, 'WebSocket', before);
});

/** Checks the example: it receives events until it is stopped. */
async function watchByExample(source: string): Promise<void> {
  expect(await typeErrors(source)).toEqual([]);
  const { watchStatus } = await loadTypeScript<{
    watchStatus: (onEvent: (type: string) => void) => () => void;
  }>(source, origin);
  const received: string[] = [];
  const stop = watchStatus((type) => received.push(type));
  const { incidents } = app.services.status;
  await vi.waitFor(
    async () => {
      const { id } = await incidents.create(
        { name: 'Told', status: 'investigating', body: 'x', components: [] },
        systemActor,
      );
      await incidents.delete(id, systemActor);
      expect(received).toContain('incident.deleted');
    },
    { timeout: 10_000, interval: 100 },
  );
  stop();
  await vi.waitFor(() => expect(app.services.graphql.sockets.count()).toBe(0), { timeout: 5000 });
}

it('graphql.md works as written', async () => {
  expect(
    await follow('graphql.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps: [],
      runTypeScript: watchByExample,
    }),
  ).toEqual({ ran: 7, compared: 6, notRun: [] });
});
