import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from './service.ts';

const quietBytes = 256 * 1024;

/**
 * Waits until the event store has at least `rows`, or for `limitMs` without any progress. Gives the
 * rows it has.
 */
export async function waitForRows(
  service: Service,
  rows: number,
  limitMs = 30_000,
): Promise<number> {
  let found = await service.rows();
  let moved = performance.now();
  while (found < rows && performance.now() - moved < limitMs) {
    await delay(100);
    const now = await service.rows();
    if (now !== found) moved = performance.now();
    found = now;
  }
  return found;
}

/**
 * Waits until the service has nothing left to do: the backlog is checkpointed and gone. At most
 * `limitMs`.
 */
async function waitForQuiet(service: Service, limitMs = 20_000): Promise<void> {
  const end = performance.now() + limitMs;
  while ((await service.backlogBytes()) > quietBytes && performance.now() < end) await delay(250);
}

export interface Count {
  line: string;
  failed: boolean;
}

/**
 * Compares the rows that were added with the events that were answered 200. More may be there, by
 * what was under way when the load ended; fewer are lost events.
 */
export async function countRows(
  service: Service,
  what: string,
  before: number,
  answered: number,
  underWay: number,
): Promise<Count> {
  await waitForRows(service, before + answered);
  await waitForQuiet(service);
  const added = (await service.rows()) - before;
  const text =
    `${what}: ${answered.toLocaleString('en-US')} events answered 200, ` +
    `${added.toLocaleString('en-US')} rows`;
  if (added < answered)
    return {
      failed: true,
      line: `FAILED ${text}: ${(answered - added).toLocaleString('en-US')} LOST`,
    };
  if (added > answered + underWay)
    return {
      failed: true,
      line: `FAILED ${text}: more than the ${underWay} that may have been under way explain`,
    };
  return { failed: false, line: `${text} (up to ${underWay} were under way at the end)` };
}
