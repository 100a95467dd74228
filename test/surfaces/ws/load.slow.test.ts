import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { errorsIn } from '../../support/log.ts';
import { rounds } from '../../support/rounds.ts';
import { binary, frame, textFrame } from './raw-client.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService();

const big = 'x'.repeat(50_000);
const slowDisconnects = () => ws.app.services.realtime.metrics().slow_disconnects_total;
const openConnections = () =>
  new Promise<number>((resolve) => {
    ws.app.http.server.getConnections((_error, count) => resolve(count));
  });

/** Replaces a timer function until the test ends. Only what begins meanwhile has the fake one. */
function useFakeTimers(name: 'setTimeout' | 'setInterval'): void {
  vi.useFakeTimers({ toFake: [name] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a slow reader', () => {
  test('is closed with 3008, or cut off; the others receive everything in time', async () => {
    const other = await ws.bystander();
    const fast = await ws.connected('/ws/status/');
    await fast.ask({ subscribe: { channel: 'status:big' } });
    const subscribeSlowly = async () => {
      const client = await ws.rawConnected('/ws/status/');
      client.write(textFrame('{"id":2,"subscribe":{"channel":"status:big"}}'));
      await expect.poll(() => client.texts().join('\n')).toContain('"id":2');
      client.socket.pause();
      return client;
    };
    const readsAgain = await subscribeSlowly();
    // The others never read again.
    await Promise.all(Array.from({ length: 9 }, subscribeSlowly));
    const before = slowDisconnects();
    const latencies: number[] = [];
    let sent = 0;
    while (slowDisconnects() < before + 10 && sent < 600) {
      await ws.publish('status:big', `${sent} ${big}`);
      sent += 1;
      if (sent % 20 === 0) latencies.push(await other.latency());
    }
    expect(slowDisconnects()).toBe(before + 10);
    // Tolerates one pause of the machine.
    expect(latencies.sort((a, b) => b - a)[1] ?? 0).toBeLessThan(1500);
    readsAgain.socket.resume();
    await expect.poll(() => fast.publications('status:big').length, { timeout: 10_000 }).toBe(sent);
    // It reads again within the close timeout of five seconds, so it gets the close code.
    await expect.poll(() => readsAgain.closeCode(), { timeout: 8000 }).toBe(3008);
    readsAgain.socket.destroy();
    fast.webSocket.close();
    await other.expectUnaffected();
  }, 60_000);
});

describe('a client without commands', () => {
  test('that floods pongs is closed with 3013', async () => {
    const other = await ws.bystander();
    const client = await ws.rawConnected('/ws/status/');
    const pongs = textFrame('{}\n'.repeat(900));
    for (
      let turn = 0;
      turn < 2000 && client.closeCode() === undefined && !client.state.ended;
      turn += 1
    ) {
      client.write(pongs);
      if (turn % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => client.closeCode(), { timeout: 5000 }).toBe(3013);
    client.socket.destroy();
    await other.expectUnaffected();
  }, 30_000);
});

describe('an idle or broken connection', () => {
  test('is cut off when it does not complete the close handshake', async () => {
    const other = await ws.bystander();
    const client = await ws.rawConnected('/ws/status/');
    client.write(frame({ opcode: binary, payload: 'x' }));
    await client.ended(8000);
    await other.expectUnaffected();
  });

  test('that never completes its handshake does no harm, even many times', async () => {
    const other = await ws.bystander();
    const half = Array.from({ length: rounds(250, 1000) }, () => ws.tcp());
    await expect
      .poll(() => half.every(({ socket }) => !socket.connecting), { timeout: 10_000 })
      .toBe(true);
    half.forEach((each) => each.write(ws.handshake('/ws/status/').slice(0, 60)));
    const during = [];
    for (let turn = 0; turn < 20; turn += 1) during.push(await other.latency());
    expect(Math.max(...during)).toBeLessThan(2000);
    const late = await ws.connected('/ws/status/');
    late.webSocket.close();
    half.forEach(({ socket }) => socket.destroy());
    await expect.poll(openConnections, { timeout: 15_000 }).toBeLessThan(10);
    await other.expectUnaffected();
  }, 60_000);

  test('on /ws/svc/ is closed after ten seconds with 3502', async () => {
    useFakeTimers('setTimeout');
    const client = await ws.raw('/ws/svc/');
    // Polls advance the time a little, too.
    await vi.advanceTimersByTimeAsync(9000);
    expect(client.closeCode()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    await expect.poll(() => client.closeCode()).toBe(3502);
  });

  test('that is reset midway leaves nothing behind, even many times', async () => {
    const other = await ws.bystander();
    for (let turn = 0; turn < rounds(3, 10); turn += 1) {
      const many = Array.from({ length: 100 }, () => ws.tcp());
      many.forEach((each, at) => {
        each.write(
          ws.handshake('/ws/svc/'),
          textFrame('{"id":1,"connect":{}}\n{"id":2,"subscribe":{"channel":"test"}}'),
        );
        setTimeout(() => each.socket.resetAndDestroy(), at % 20);
      });
      await expect
        .poll(() => many.every(({ socket }) => socket.destroyed), { timeout: 5000 })
        .toBe(true);
    }
    await expect.poll(() => ws.count(), { timeout: 8000 }).toBe(1);
    const asking = await ws.connected('/ws/svc/');
    await expect
      .poll(
        async () =>
          (await asking.ask({ presence_stats: { channel: 'test' } })).presence_stats as object,
        { timeout: 3000 },
      )
      .toEqual({ num_clients: 0, num_users: 0 });
    asking.webSocket.terminate();
    await other.expectUnaffected();
  }, 60_000);
});

describe('pings', async () => {
  // The timer of the pings starts with the first socket of a service.
  const quiet = await useSocketService();

  test('are sent every 25 seconds; only clients that owe a pong are closed', async () => {
    useFakeTimers('setInterval');
    const silent = await quiet.rawConnected('/ws/status/');
    const uni = quiet.plain('/ws/status/?mode=uni');
    await expect.poll(() => uni.frames.length, { interval: 1 }).toBeGreaterThan(0);
    const answering = quiet.centrifuge('/ws/status/');
    const states: string[] = [];
    answering.on('state', ({ newState }) => states.push(newState));
    answering.connect();
    await answering.ready();
    const countPings = (frames: readonly string[]) => frames.filter((each) => each === '{}').length;
    /** Lets a time pass, in which the client answers pings. */
    const pass = async (seconds: number) => {
      for (let at = 0; at < seconds; at += 1) {
        await vi.advanceTimersByTimeAsync(1000);
        await answering.rpc('ping', null);
      }
    };
    await pass(25);
    expect([silent.texts(), uni.frames].map(countPings)).toEqual([1, 1]);
    await pass(8);
    await expect.poll(() => silent.closeCode()).toBe(3012);
    expect(countPings(silent.texts())).toBe(1);
    await pass(17);
    expect(countPings(uni.frames)).toBe(2);
    expect(states).toEqual(['connecting', 'connected']);
    expect(uni.state.closed).toBeUndefined();
  });

  test('are not needed to close the sockets of a revoked API key', async () => {
    const keys = new TestClient(ws.app).as(asAdmin).at('/api/v1/api-keys');
    const make = async () => {
      const { body } = await keys.post<{ id: string; key: string }>('', {
        name: 'ws',
        scopes: ['admin'],
      });
      return body;
    };
    const [keyInHeader, keyInCommand] = [await make(), await make()];
    const byHeader = await ws.connected('/ws/svc/', {
      headers: { authorization: `Bearer ${keyInHeader.key}` },
    });
    const byCommand = ws.plain('/ws/svc/');
    await byCommand.connect({ token: keyInCommand.key });
    for (const client of [byHeader, byCommand])
      expect(await client.ask({ subscribe: { channel: 'devices' } })).toHaveProperty('subscribe');
    for (const { id } of [keyInHeader, keyInCommand])
      expect((await keys.delete(`/${id}`)).status).toBeLessThan(300);
    expect((await byCommand.end(5000)).code).toBe(3503);
    expect((await byHeader.end(5000)).code).toBe(3503);
  });
});

describe('repeated disconnections', () => {
  test('the official client receives everything once and in order', async () => {
    const { client, received } = await ws.subscribeTo('status:drops');
    let published = 0;
    const state = { isOver: false };
    const publishing = (async () => {
      while (!state.isOver) {
        await ws.publish('status:drops', (published += 1));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    for (let turn = 0; turn < 4; turn += 1) {
      client.disconnect();
      const left = published;
      await expect.poll(() => published - left, { timeout: 10_000 }).toBeGreaterThan(50);
      client.connect();
      await expect.poll(() => published - received.length, { timeout: 5000 }).toBeLessThan(3);
    }
    state.isOver = true;
    await publishing;
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(published);
    expect(received).toEqual(Array.from({ length: published }, (_, at) => at + 1));
    expect(errorsIn(ws.app.log())).toEqual([]);
  }, 60_000);
});
