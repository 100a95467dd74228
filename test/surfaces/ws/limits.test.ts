import { describe, expect, test } from 'vitest';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService({ env: { WS_CONNECTION_LIMIT: '2' } });

describe('with a limit of two sockets', () => {
  test('a third one gets 503 with Retry-After, and may connect once one has closed', async () => {
    const [one, two] = [ws.plain('/ws/status/'), ws.plain('/ws/svc/')];
    await Promise.all([one.connect(), two.connect()]);
    const three = ws.plain('/ws/status/');
    expect(await three.refused()).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse((await three.refused()).body)).toMatchObject({
      code: 'ws.too_many_connections',
    });
    one.webSocket.close();
    await expect.poll(() => ws.count()).toBe(1);
    await ws.plain('/ws/status/').connect();
  });

  test('only two of fifty concurrent ones are opened', async () => {
    await expect.poll(() => ws.count()).toBe(0);
    const all = Array.from({ length: 50 }, () => ws.plain('/ws/status/'));
    await expect
      .poll(
        () =>
          all.every((each) => each.state.refused !== undefined || each.webSocket.readyState === 1),
        { timeout: 5000 },
      )
      .toBe(true);
    expect(all.filter((each) => each.webSocket.readyState === 1)).toHaveLength(2);
  });
});
