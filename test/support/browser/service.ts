import { afterAll, beforeAll } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { freshApp, type FreshApp } from '../app.ts';
import { freePort } from '../redis-server.ts';
import { startBrowserAhead } from './browser.ts';

export interface ServiceOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** Whether background jobs run, such as those that send mail. */
  runsJobs?: boolean;
}

/** A service that listens on a port of this machine, which is also its BASE_URL. */
export interface TestService {
  readonly app: FreshApp;
  /** Such as `http://localhost:40001`. */
  readonly origin: string;
}

/** Gives the tests of a suite a service of their own. Call it in `describe`, before other hooks. */
export function useService({ env, clock, runsJobs = false }: ServiceOptions = {}): TestService {
  let app: FreshApp | undefined;
  let origin = '';
  startBrowserAhead();
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    app = await freshApp({
      env: { BASE_URL: origin, ...env },
      ...(clock === undefined ? {} : { clock }),
    });
    if (runsJobs) await app.services.queues.start();
    await app.http.listen({ port, host: '127.0.0.1' });
  }, 120_000);
  afterAll(() => app?.close());
  return {
    get app() {
      if (app === undefined) throw new Error('the service is there from `beforeAll` on');
      return app;
    },
    get origin() {
      return origin;
    },
  };
}
