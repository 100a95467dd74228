import { systemActor } from '../../../../platform/http/requests/request-actor.ts';
import { z } from 'zod';
import type { Clock } from '../../../../lib/clock.ts';
import { dayMs, minuteMs } from '../../../../lib/durations.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { Queues } from '../../../../platform/queues/queues.ts';
import { type Device, deviceStore } from '../store.ts';
import type { Transitions } from '../transitions.ts';

export interface SweepDeps {
  db: Database;
  transitions: Transitions;
  clock: Clock;
  /** Devices read by one statement. Default 200. */
  batch?: number;
}

const retentionDays = 400;

/** Expires approvals and requests, completes interrupted revocations, deletes old devices. */
export function createSweep({ db, transitions, clock, batch = 200 }: SweepDeps) {
  async function expireBatch(
    state: 'cleared' | 'pending',
    name: 'expire' | 'time_out',
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

  return {
    sweep: async (): Promise<void> => {
      await repeatWhileFull(() => expireBatch('cleared', 'expire'));
      await repeatWhileFull(() => expireBatch('pending', 'time_out'));
      for (const device of await deviceStore.listUnfinished(db, batch))
        await transitions.endSessions(device);
    },

    /** Deletes devices 400 days after they were last cleared or pending, like audit entries. */
    clean: (): Promise<void> =>
      repeatWhileFull(() =>
        deviceStore.deleteOldest(db, batch, new Date(clock.now() - retentionDays * dayMs)),
      ),
  };
}

export type Sweep = ReturnType<typeof createSweep>;

/** Registers the job that sweeps and cleans up every minute. */
export function defineDeviceJobs(queues: Queues, { sweep, clean }: Sweep): void {
  queues.defineJob({
    name: 'devices-expiry',
    schema: z.strictObject({}),
    options: { every: { ms: minuteMs, payload: {} } },
    async process() {
      await sweep();
      await clean();
    },
  });
}
