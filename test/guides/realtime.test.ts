import { afterAll, beforeAll, expect, vi } from 'vitest';
import { listen } from '../support/sockets.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { WebSocket } from 'ws';
import { asAdmin, type TestApp } from '../support/app.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

/** Blocks marked as not run here. A new one must be added deliberately. */
const notRun = ['a browser runs it, test/web/global-message-handler.slow.test.ts'];

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

interface Examples {
  watch: (
    channel: string,
    onEvent: (event: { type: string; id: string; time: string; data: unknown }) => void,
    onMissed: () => void,
    token?: string,
  ) => () => void;
}

const publish = async (payload: object) =>
  expect(
    (
      await app.http.inject({ method: 'POST', url: '/realtime/test', headers: asAdmin, payload })
    ).json(),
  ).toMatchObject({ published: true });

/** Checks the example: it receives what is published until it is stopped. */
async function watchByExample(source: string): Promise<void> {
  expect(await typeErrors(source)).toEqual([]);
  const { watch } = await loadTypeScript<Examples>(
    source.replaceAll('ws://127.0.0.1:3000', origin.replace('http', 'ws')),
    origin,
  );
  const received: unknown[] = [];
  const missed = vi.fn();
  const stop = watch('test', ({ data }) => received.push(data), missed);
  try {
    await vi.waitFor(
      async () => {
        await publish({ is: 'there?' });
        expect(received.length).toBeGreaterThan(0);
      },
      { timeout: 10_000, interval: 50 },
    );
    await publish({ hello: 'world' });
    await vi.waitFor(() => expect(JSON.stringify(received.at(-1))).toContain('"hello":"world"'), {
      timeout: 5000,
    });
  } finally {
    stop();
  }
  await vi.waitFor(
    () =>
      expect(
        app.services.realtime.metrics().endpoints.map(({ connections }) => connections),
      ).toEqual([0, 0, 0]),
    { timeout: 5000 },
  );
  const count = received.length;
  await publish({ too: 'late' });
  expect({ receivedLength: received.length, missedLength: missed.mock.calls.length }).toEqual({
    receivedLength: count,
    missedLength: 0,
  });
}

it('realtime.md works as written', async () => {
  expect(
    await follow('realtime.md', {
      origin,
      variables: {},
      steps: [],
      runTypeScript: watchByExample,
    }),
  ).toEqual({ ran: 3, compared: 2, notRun });
});
