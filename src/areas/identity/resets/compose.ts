import { hmacText } from '../../../lib/secrets/signed-ids.ts';
import type { Resources } from '../../../platform/resources.ts';
import { createAccessEnding } from './access-ending.ts';
import type { ResetNeeds } from './context.ts';
import { createResetExecution } from './execution.ts';
import { defineFactorResetJob } from './jobs.ts';
import { createResetNotices } from './notices.ts';
import { createResetLog } from './reset-log.ts';
import { createFactorResets } from './service.ts';
import { createResetStore } from './store.ts';

/** Resets of second factors, the job that does what is due, and what ends with a factor. */
export function composeFactorResets(resources: Resources, needs: ResetNeeds) {
  const { db, queues, keys } = resources;
  const shared = {
    ...resources,
    ...needs,
    store: createResetStore(db),
    tokenOf: (resetId: string) => hmacText(keys('factor-reset-links'), resetId),
  };
  const { endAccess, factorRemoval } = createAccessEnding(needs);
  const parts = {
    ...shared,
    notices: createResetNotices(shared),
    log: createResetLog(needs.audit),
    endAccess,
  };
  const runDue = createResetExecution(parts);
  defineFactorResetJob(queues, runDue);
  return {
    factorResets: {
      ...createFactorResets(parts),
      /** Does what is due. The job calls it every minute. */
      runDue,
    },
    factorRemoval,
  };
}
