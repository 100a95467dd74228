import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { errorsIn } from '../../support/log.ts';
import { plain, type Plain } from './plain-client.ts';

/** Connects a client that checks that other clients do not affect the service. */
export async function bystander(app: TestApp, port: number) {
  const client: Plain = plain(port, '/ws/status/', { from: '127.0.0.2' });
  await client.connect();
  await client.ask({ subscribe: { channel: 'status' } });
  const connections = app.services.realtime.clients.count();
  const alreadyLogged = app.log().length;
  const rejections: unknown[] = [];
  const note = (error: unknown) => rejections.push(error);
  process.on('unhandledRejection', note);
  let published = 0;
  return {
    client,
    /** Publishes a message; returns the milliseconds until it was received. */
    async latency(): Promise<number> {
      const began = performance.now();
      published += 1;
      const text = `news ${published}`;
      await app.services.bus.publish('status', { type: 'tried', data: text });
      await expect
        .poll(
          () =>
            client.publications('status').some((each) => (each as { data: unknown }).data === text),
          { timeout: 5000, interval: 2 },
        )
        .toBe(true);
      return performance.now() - began;
    },
    /**
     * Expects that the service still delivers publications, has logged no error, and has no
     * sockets left over.
     */
    async expectUnaffected(): Promise<void> {
      await this.latency();
      await expect
        .poll(() => app.services.realtime.clients.count(), { timeout: 8000 })
        .toBe(connections);
      process.off('unhandledRejection', note);
      expect(client.state.closed).toBeUndefined();
      client.webSocket.terminate();
      await expect
        .poll(() => app.services.realtime.clients.count(), { timeout: 8000 })
        .toBe(connections - 1);
      expect(rejections).toEqual([]);
      expect(errorsIn(app.log().slice(alreadyLogged))).toEqual([]);
    },
  };
}
