import { expect, vi } from 'vitest';
import { asAdmin } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { it } from '../support/test.ts';
import { useGuideService } from './guide-service.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';
import { useWebSocket } from './websocket.ts';

/** Blocks marked as not run here. A new one must be added deliberately. */
const notRun = ['a browser runs it, test/web/global-message-handler.slow.test.ts'];

useWebSocket();
const service = await useGuideService();

interface Examples {
  watch: (
    channel: string,
    onEvent: (event: { type: string; id: string; time: string; data: unknown }) => void,
    onMissed: () => void,
    token?: string,
  ) => () => void;
}

async function publish(payload: object): Promise<void> {
  const { body } = await new TestClient(service.app).as(asAdmin).post('/realtime/test', payload);
  expect(body).toMatchObject({ published: true });
}

/** Checks the example: it receives what is published until it is stopped. */
async function watchByExample(source: string): Promise<void> {
  expect(await typeErrors(source)).toEqual([]);
  const { watch } = await loadTypeScript<Examples>(
    source.replaceAll('ws://127.0.0.1:3000', service.origin.replace('http', 'ws')),
    service.origin,
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
  const { realtime } = service.app.services;
  await vi.waitFor(() => expect(realtime.clients.count()).toBe(0), { timeout: 5000 });
  const count = received.length;
  await publish({ too: 'late' });
  expect(received).toHaveLength(count);
  expect(missed).not.toHaveBeenCalled();
}

it('realtime.md works as written', async () => {
  const options = { variables: {}, runTypeScript: watchByExample };
  const reading = await service.follow('realtime.md', options);
  expect(reading).toEqual({ ran: 3, compared: 2, notRun });
});
