import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from './service.ts';

const idleBytes = 256 * 1024;

/**
 * Waits until the event store has at least `rows` rows, or for `limitMs` without progress. Returns
 * the number of rows.
 */
export async function waitForRows(
  service: Service,
  rows: number,
  limitMs = 30_000,
): Promise<number> {
  let found = await service.rows();
  let lastChange = performance.now();
  while (found < rows && performance.now() - lastChange < limitMs) {
    await delay(100);
    const now = await service.rows();
    if (now !== found) lastChange = performance.now();
    found = now;
  }
  return found;
}

/**
 * Waits until the service is idle and its backlog is checkpointed, at most `limitMs`.
 */
async function waitUntilIdle(service: Service, limitMs = 20_000): Promise<void> {
  const end = performance.now() + limitMs;
  while ((await service.backlogBytes()) > idleBytes && performance.now() < end) await delay(250);
}

export interface Count {
  line: string;
  failed: boolean;
}

/**
 * Compares the added rows with the events that were answered 200. There may be more, by the events
 * in flight when the load ended; fewer rows are lost events.
 */
export async function countRows(
  service: Service,
  what: string,
  before: number,
  answered: number,
  inFlight: number,
): Promise<Count> {
  await waitForRows(service, before + answered);
  await waitUntilIdle(service);
  const added = (await service.rows()) - before;
  const text =
    `${what}: ${answered.toLocaleString('en-US')} events answered 200, ` +
    `${added.toLocaleString('en-US')} rows`;
  if (added < answered)
    return {
      failed: true,
      line: `FAILED ${text}: ${(answered - added).toLocaleString('en-US')} LOST`,
    };
  if (added > answered + inFlight)
    return {
      failed: true,
      line: `FAILED ${text}: more than the ${inFlight} in flight at the end explain`,
    };
  return { failed: false, line: `${text} (up to ${inFlight} were in flight at the end)` };
}
