import type { Publisher } from '../../platform/bus/types.ts';
import type { JobEnd } from '../../platform/queues/worker.ts';

const maxPerSecond = 20;

/** Publishes the ends of jobs on the channel `jobs`, at most 20 events a second. */
export function createJobEvents(publisher: Pick<Publisher, 'publishInBackground'>) {
  let second = 0;
  let published = 0;
  let skipped = 0;
  return ({ job, id, attempt, outcome }: JobEnd): void => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, published] = [now, 0];
    if (published >= maxPerSecond) {
      skipped += 1;
      return;
    }
    published += 1;
    publisher.publishInBackground('jobs', {
      type: `job.${outcome}`,
      data: { job, id, attempt, skipped },
    });
    skipped = 0;
  };
}
