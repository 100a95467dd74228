import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { plain, type Plain } from './plain-client.ts';

/** Lines of the log that say that something is wrong with the service. */
export const errorsIn = (log: string): string[] =>
  log.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line));

/** Somebody who notices when the service is harmed. */
export async function bystander(app: TestApp, port: number) {
  const client: Plain = plain(port, '/ws/status/', { from: '127.0.0.2' });
  await client.connect();
  await client.ask({ subscribe: { channel: 'status' } });
  const connections = app.services.realtime.clients.count();
  const alreadyLogged = app.log().length;
  const rejections: unknown[] = [];
  const note = (error: unknown) => rejections.push(error);
  process.on('unhandledRejection', note);
  let told = 0;
  return {
    client,
    /** Publishes something and gives the milliseconds until it was heard. */
    async latency(): Promise<number> {
      const began = performance.now();
      told += 1;
      const text = `news ${told}`;
      await app.services.bus.publish('status', { type: 'tried', data: text });
      await expect
        .poll(
          () => client.heard('status').some((each) => (each as { data: unknown }).data === text),
          { timeout: 5000, interval: 2 },
        )
        .toBe(true);
      return performance.now() - began;
    },
    /**
     * The service is as it was: it tells what is published, has logged no error, and holds no
     * socket more.
     */
    async isWell(): Promise<void> {
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
