import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Load } from './load.ts';
import { type PacedResult, startPaced } from './paced.ts';
import type { Service } from './service.ts';
import { runWrk, type WrkResult } from './wrk.ts';

const probeLoad = (path: string): Load => ({
  name: path,
  method: 'GET',
  path,
  body: undefined,
  connections: 1,
  eventsPerRequest: 0,
});
const perSecond = 50;
const leadMs = 1000;

/**
 * Requests `/api/health/live` on a separate connection, 50 times per second, while wrk sends `load`
 * as fast as it is answered.
 */
export async function probeUnderLoad(
  service: Pick<Service, 'base' | 'port'>,
  load: Load,
  seconds: number,
  folder: string,
): Promise<{ probe: PacedResult; wrk: WrkResult }> {
  const loading = runWrk(load, service.base, seconds + (2 * leadMs) / 1000, folder);
  await delay(leadMs);
  const probe = await (
    await startPaced(probeLoad('/api/health/live'), service.port, { perSecond, seconds })
  ).finished;
  return { probe, wrk: await loading };
}

interface Answer {
  status: number;
  /** ms from the request to the answer. */
  took: number;
}

/** Sends one request on a new connection. The status is 0 when there is no answer. */
function ask(port: number, path: string): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const end = (): void => {
      resolve({ status: Number(text.slice(9, 12)), took: performance.now() - began });
      socket.destroy();
    };
    socket
      .on('error', () => undefined)
      .on('close', end)
      .on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (text.includes('\r\n\r\n')) end();
      });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  });
}

export interface Draining {
  /**
   * ms from SIGTERM to the first 503 of /api/health/ready; NaN when there was none.
   */
  notReadyMs: number;
  /** ms from SIGTERM to the last 200; 0 when there was none. */
  lastReadyMs: number;
  exitMs: number;
}

/**
 * Sends SIGTERM under load and requests readiness on the health port, which stays open, until it is
 * 503. Resolves when the process has ended.
 */
export async function drainUnderLoad(
  service: Service,
  probePort: number,
  load: Load,
  folder: string,
): Promise<Draining> {
  // The service ends wrk's connections.
  const loading = runWrk(load, service.base, 5, folder).catch(() => undefined);
  await delay(2 * leadMs);
  const before = await ask(probePort, '/api/health/ready');
  if (before.status !== 200) throw new Error(`not ready before it ends: ${before.status}`);
  const began = performance.now();
  const exited = service.stop().then(() => performance.now() - began);
  let [notReadyMs, lastReadyMs] = [Number.NaN, 0];
  while (Number.isNaN(notReadyMs) && performance.now() - began < 5000) {
    const { status } = await ask(probePort, '/api/health/ready');
    const now = performance.now() - began;
    if (status === 503) notReadyMs = now;
    else if (status === 200) lastReadyMs = now;
    else break;
  }
  const exitMs = await exited;
  await loading;
  return { notReadyMs, lastReadyMs, exitMs };
}
