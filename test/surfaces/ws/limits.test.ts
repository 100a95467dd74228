import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { listen } from '../../support/sockets.ts';
import { plain } from './plain-client.ts';

let app: FreshApp;
let port: number;

beforeAll(async () => {
  app = await freshApp({ env: { WS_CONNECTION_LIMIT: '2' } });
  port = await listen(app);
});
afterAll(() => app.close());

describe('with a limit of two sockets', () => {
  test('a third one gets 503 with Retry-After, and may connect once one has closed', async () => {
    const [one, two] = [plain(port, '/ws/status/'), plain(port, '/ws/svc/')];
    await Promise.all([one.connect(), two.connect()]);
    const three = plain(port, '/ws/status/');
    expect(await three.refused()).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse((await three.refused()).body)).toMatchObject({
      code: 'ws.too_many_connections',
    });
    one.webSocket.close();
    await expect.poll(() => app.services.realtime.clients.count()).toBe(1);
    await plain(port, '/ws/status/').connect();
  });

  test('only two of fifty concurrent ones are opened', async () => {
    await expect.poll(() => app.services.realtime.clients.count()).toBe(0);
    const all = Array.from({ length: 50 }, () => plain(port, '/ws/status/'));
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
