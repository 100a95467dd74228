import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { listen } from '../../support/sockets.ts';
import { publish } from './official-client.ts';
import { connected, plain, type Plain } from './plain-client.ts';
import { raw, frame, text } from './raw-client.ts';

let app: FreshApp;
let port: number;

beforeAll(async () => {
  app = await freshApp();
  port = await listen(app);
});
afterAll(() => app.close());

/** Expects that a client receives what is published on a channel, in the given turn of a test. */
async function expectReceived(client: Plain, channel: string, turn: number): Promise<void> {
  await publish(app, channel, turn);
  await expect
    .poll(() => client.publications(channel).length, { timeout: 5000, message: `turn ${turn}` })
    .toBe(1);
}

describe('concurrently', () => {
  test('a subscriber receives a channel while another client reads its history', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const channel = `status:quiet-${turn}`;
      const asking = await connected(port, '/ws/status/');
      const listening = await connected(port, '/ws/status/');
      const historyId = asking.send({ history: { channel, limit: 1 } });
      const subscribed = listening.send({ subscribe: { channel } });
      await Promise.all([asking.reply(historyId), listening.reply(subscribed)]);
      await expectReceived(listening, channel, turn);
    }
  });

  test('a subscriber receives a channel that another client leaves', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const channel = `status:left-${turn}`;
      const leaving = await connected(port, '/ws/status/');
      const listening = await connected(port, '/ws/status/');
      leaving.send({ subscribe: { channel } });
      leaving.webSocket.terminate();
      await listening.ask({ subscribe: { channel } });
      await expectReceived(listening, channel, turn);
    }
  });

  test('a client that disconnects while subscribing is not in the presence', async () => {
    const watching = await connected(port, '/ws/svc/', { headers: asAdmin });
    for (let turn = 0; turn < 20; turn += 1) {
      const leaving = await raw(port, '/ws/svc/');
      leaving.write(
        frame({
          opcode: text,
          payload: '{"id":1,"connect":{}}\n{"id":2,"subscribe":{"channel":"test"}}',
        }),
      );
      leaving.socket.resetAndDestroy();
    }
    await expect.poll(() => app.services.realtime.clients.count()).toBe(1);
    await expect
      .poll(
        async () =>
          ((await watching.ask({ presence: { channel: 'test' } })).presence as { presence: object })
            .presence,
      )
      .toEqual({});
  });

  test('a unidirectional client gets its connect push before publications', async () => {
    const quiet = Array.from({ length: 60 }, (_, at) => `status:many-${at}`);
    const state = { isOver: false };
    const publishing = (async () => {
      for (let at = 0; !state.isOver; at += 1) await publish(app, 'status', at);
    })();
    const early: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const names = ['status', ...quiet.map((name) => `${name}-${turn}`)];
      const client = plain(port, `/ws/status/?mode=uni&channels=${names.join(',')}`);
      await expect.poll(() => client.lines.some((line) => line.connect !== undefined)).toBe(true);
      if (client.lines[0]?.connect === undefined) early.push(client.frames[0] ?? '');
    }
    state.isOver = true;
    await publishing;
    expect(early).toEqual([]);
  });
});
