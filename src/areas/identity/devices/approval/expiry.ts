import { systemActor } from '../../../../platform/http/requests/request-actor.ts';
import { dayMs, minuteMs } from '../../../../lib/durations.ts';
import type { Queues } from '../../../../platform/queues/queues.ts';
import type { DeviceParts } from '../context.ts';
import { type Device, deviceStore } from '../store.ts';

const retentionDays = 400;

/**
 * Expires approvals and requests, completes removals and interrupted revocations, and deletes old
 * devices.
 */
export function createSweep(
  { db, transitions, clock }: Pick<DeviceParts, 'db' | 'transitions' | 'clock'>,
  batch = 200,
) {
  return { sweep, clean };

  async function sweep(): Promise<void> {
    await repeatWhileFull(() => expireBatch('cleared', 'expire'));
    await repeatWhileFull(() => expireBatch('pending', 'time_out'));
    await repeatWhileFull(() => expireBatch('suspended', 'revoke'));
    for (const device of await deviceStore.listUnfinished(db, batch))
      await transitions.endSessions(device);
  }

  /** Deletes devices 400 days after they were last approved or pending, like audit entries. */
  async function clean(): Promise<void> {
    const before = new Date(clock.now() - retentionDays * dayMs);
    await repeatWhileFull(() => deviceStore.deleteOldest(db, batch, before));
  }

  async function expireBatch(
    state: 'cleared' | 'pending' | 'suspended',
    name: 'expire' | 'time_out' | 'revoke',
  ): Promise<number> {
    const now = new Date(clock.now());
    // The device may have been used or decided on since it was read.
    const onlyIf = ({ expires_at: end }: Device) => end !== null && end <= now;
    const overdue = await deviceStore.listOverdue(db, state, now, batch);
    for (const { id } of overdue) await transitions.run(id, { name, by: systemActor, onlyIf });
    return overdue.length;
  }

  async function repeatWhileFull(work: () => Promise<number>): Promise<void> {
    let count: number;
    do count = await work();
    while (count === batch);
  }
}

/** Registers the job that sweeps and cleans up every minute. */
export function defineDeviceJobs(
  queues: Queues,
  { sweep, clean }: ReturnType<typeof createSweep>,
): void {
  queues.every('devices-expiry', minuteMs, async () => {
    await sweep();
    await clean();
  });
}
