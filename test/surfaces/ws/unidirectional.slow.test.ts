import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { asAdmin } from '../../support/app.ts';
import { type Plain } from './plain-client.ts';
import { openCookie } from '../../support/sign-in.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService();

const waitForConnect = (client: Plain) =>
  expect.poll(() => client.lines[0], { timeout: 5000, interval: 5 }).toHaveProperty('connect');
/** Opens a unidirectional client, and waits for its connect push. */
async function openUni(query: string, path = '/ws/status/', headers: Record<string, string> = {}) {
  const client = ws.plain(`${path}?mode=uni${query}`, { headers });
  await waitForConnect(client);
  return client;
}

describe('a unidirectional client', () => {
  test('connects at once to the channels in its URL, and receives them', async () => {
    const client = await openUni('&channels=status,status:api,test');
    const { connect } = client.lines[0] as { connect: Record<string, unknown> };
    expect(connect).toMatchObject({
      ping: 25,
      subs: {
        status: { recoverable: true, data: { type: 'status.snapshot' } },
        'status:api': {},
        test: {},
      },
    });
    expect(connect).not.toHaveProperty('pong');
    await ws.publish('status:api', 'down');
    await expect
      .poll(() => client.lines[1])
      .toMatchObject({
        channel: 'status:api',
        pub: { data: { type: 'tried', data: 'down' }, offset: 1 },
      });
    expect(client.lines[1]).not.toHaveProperty('push');
    expect(client.lines[1]).not.toHaveProperty('id');
  });

  test('gets simultaneous publications as separate messages', async () => {
    const client = await openUni('&channels=status');
    await Promise.all(Array.from({ length: 50 }, (_, at) => ws.publish('status', at)));
    await expect.poll(() => client.publications('status').length).toBe(50);
    expect(client.frames.every((each) => !each.includes('\n'))).toBe(true);
  });

  test('that is silent on /ws/status/ receives the status after a second', async () => {
    const client = ws.plain('/ws/status/');
    const began = Date.now();
    await client.opened();
    await waitForConnect(client);
    expect(Date.now() - began).toBeGreaterThan(900);
    expect(client.lines[0]).toMatchObject({ connect: { subs: { status: {} } } });
    await ws.publish('status', 'news');
    await expect.poll(() => client.publications('status').length).toBe(1);
  });

  test('that sends connect after the silence timeout becomes bidirectional', async () => {
    const client = ws.plain('/ws/status/');
    await client.opened();
    await waitForConnect(client);
    expect(await client.ask({ connect: {} })).toMatchObject({ connect: { pong: true } });
    expect(await client.ask({ subscribe: { channel: 'status' } })).toMatchObject({
      subscribe: { recoverable: true },
    });
    const before = client.lines.length;
    await ws.publish('status', 'news');
    await expect.poll(() => client.lines.length).toBe(before + 1);
    expect(client.lines.at(-1)).toMatchObject({
      push: { channel: 'status', pub: { data: { data: 'news' } } },
    });
  });

  test('that is the official client on a slow connection still becomes bidirectional', async () => {
    class Slow extends WebSocket {
      override send(data: string): void {
        setTimeout(() => super.send(data), this.isFirst ? 1500 : 0);
        this.isFirst = false;
      }

      isFirst = true;
    }
    const { received } = await ws.subscribeTo('status', { websocket: Slow });
    await ws.publish('status', 'late');
    await expect.poll(() => received).toEqual(['late']);
  });

  test('that sends a command despite mode=uni is closed with 3501', async () => {
    const client = await openUni('');
    client.send({ rpc: { method: 'ping' } });
    expect((await client.end()).code).toBe(3501);
    expect(client.lines.at(-1)).toEqual({ disconnect: { code: 3501, reason: 'bad request' } });
  });

  test('may send pongs', async () => {
    const client = await openUni('&channels=status');
    client.write('{}');
    await ws.publish('status', 'still here');
    await expect.poll(() => client.publications('status')).toHaveLength(1);
  });

  test('on /ws/svc/ with a session receives its own channel', async () => {
    const { headers, userId } = await openCookie(ws.app, 'uni@example.com');
    const client = await openUni('', '/ws/svc/', headers);
    const { connect } = client.lines[0] as { connect: { subs: object } };
    expect(Object.keys(connect.subs)).toEqual([`svc:${userId}`]);
    await ws.publish(`svc:${userId}`, 'for you');
    await expect.poll(() => client.publications(`svc:${userId}`)).toHaveLength(1);
  });

  test.each([
    ['devices', '/ws/svc/'],
    ['jobs', '/ws/svc/'],
    ['analytics:site', '/ws/analytics/'],
    ['svc:somebody', '/ws/svc/'],
    ['status,devices', '/ws/svc/'],
    ['nothing', '/ws/status/'],
    ['analytics:site', '/ws/status/'],
    ['status:', '/ws/status/'],
  ])(
    'anonymously asking for %s at %s is only closed with 3507 (do not reconnect)',
    async (channels, path) => {
      const other = await ws.bystander();
      const client = ws.plain(`${path}?mode=uni&channels=${channels}`);
      expect((await client.end()).code).toBe(3507);
      expect(client.lines).toEqual([{ disconnect: { code: 3507, reason: 'permission denied' } }]);
      await other.expectUnaffected();
    },
  );

  test('may name a channel twice', async () => {
    await openUni('&channels=status,status', '/ws/status/', asAdmin);
  });

  test('may not name more than 128 channels', async () => {
    const names = Array.from({ length: 129 }, (_, at) => `status:${at}`);
    const client = ws.plain(`/ws/status/?mode=uni&channels=${names.join(',')}`);
    expect([3505, 3507]).toContain((await client.end()).code);
  });
});
