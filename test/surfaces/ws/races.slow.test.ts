import { describe, expect, test } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { type Plain } from './plain-client.ts';
import { textFrame } from './raw-client.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService();

/** Expects that a client receives what is published on a channel, in the given turn of a test. */
async function expectReceived(client: Plain, channel: string, turn: number): Promise<void> {
  await ws.publish(channel, turn);
  await expect
    .poll(() => client.publications(channel).length, { timeout: 5000, message: `turn ${turn}` })
    .toBe(1);
}

describe('concurrently', () => {
  test('a subscriber receives a channel while another client reads its history', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const channel = `status:quiet-${turn}`;
      const asking = await ws.connected('/ws/status/');
      const listening = await ws.connected('/ws/status/');
      const historyId = asking.send({ history: { channel, limit: 1 } });
      const subscribed = listening.send({ subscribe: { channel } });
      await Promise.all([asking.reply(historyId), listening.reply(subscribed)]);
      await expectReceived(listening, channel, turn);
    }
  });

  test('a subscriber receives a channel that another client leaves', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const channel = `status:left-${turn}`;
      const leaving = await ws.connected('/ws/status/');
      const listening = await ws.connected('/ws/status/');
      leaving.send({ subscribe: { channel } });
      leaving.webSocket.terminate();
      await listening.ask({ subscribe: { channel } });
      await expectReceived(listening, channel, turn);
    }
  });

  test('a client that disconnects while subscribing is not in the presence', async () => {
    const watching = await ws.connected('/ws/svc/', { headers: asAdmin });
    for (let turn = 0; turn < 20; turn += 1) {
      const leaving = await ws.raw('/ws/svc/');
      leaving.write(textFrame('{"id":1,"connect":{}}\n{"id":2,"subscribe":{"channel":"test"}}'));
      leaving.socket.resetAndDestroy();
    }
    await expect.poll(() => ws.count()).toBe(1);
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
      for (let at = 0; !state.isOver; at += 1) await ws.publish('status', at);
    })();
    const early: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const names = ['status', ...quiet.map((name) => `${name}-${turn}`)];
      const client = ws.plain(`/ws/status/?mode=uni&channels=${names.join(',')}`);
      await expect.poll(() => client.lines.some((line) => line.connect !== undefined)).toBe(true);
      if (client.lines[0]?.connect === undefined) early.push(client.frames[0] ?? '');
    }
    state.isOver = true;
    await publishing;
    expect(early).toEqual([]);
  });
});
