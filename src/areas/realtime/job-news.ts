import type { Publisher } from '../../platform/bus/types.ts';
import type { JobEnd } from '../../platform/queues/worker.ts';

const mostASecond = 20;

/**
 * Tells who listens to `jobs` how jobs end; of a flood the first of each second, with how many were
 * left out.
 */
export function createJobNews(publisher: Pick<Publisher, 'publishInBackground'>) {
  let second = 0;
  let told = 0;
  let skipped = 0;
  return ({ job, id, attempt, outcome }: JobEnd): void => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, told] = [now, 0];
    if (told >= mostASecond) {
      skipped += 1;
      return;
    }
    told += 1;
    publisher.publishInBackground('jobs', {
      type: `job.${outcome}`,
      data: { job, id, attempt, skipped },
    });
    skipped = 0;
  };
}
