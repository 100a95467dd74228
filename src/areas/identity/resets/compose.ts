import { hmacText } from '../../../lib/secrets/signed-ids.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { Users } from '../users/service.ts';
import type { EnrolledFactors } from '../factors/enrolled-factors.ts';
import { createAccessEnding, type FactorRemovalDeps } from './access-ending.ts';
import { createResetExecution } from './execution.ts';
import { defineFactorResetJob } from './jobs.ts';
import { createResetNotices } from './notices.ts';
import { createResetLog } from './reset-log.ts';
import { createFactorResets } from './service.ts';
import { createResetStore, type ResetStoreDeps } from './store.ts';

interface ResetNeeds extends FactorRemovalDeps, Pick<ResetStoreDeps, 'lockAccess' | 'otherAdmins'> {
  audit: Audit;
  messages: Messages;
  users: Users;
  secondFactor: Pick<EnrolledFactors, 'requireSecondFactor'>;
}

/** Resets of second factors, and the job that does what is due. */
export function composeFactorResets(
  { config, clock, logger, db, queues, keys, baseUrl }: Resources,
  { audit, messages, users, secondFactor, lockAccess, otherAdmins, ...access }: ResetNeeds,
) {
  const store = createResetStore({ db, lockAccess, otherAdmins });
  const log = createResetLog(audit);
  const tokenOf = (resetId: string) => hmacText(keys('factor-reset-links'), resetId);
  const contactEmail = config.CONTACT_EMAIL;
  const shared = { store, users, tokenOf, clock, logger };
  const notices = createResetNotices({ ...shared, messages, baseUrl, contactEmail });
  const endAccess = createAccessEnding(access);
  const execute = createResetExecution({ store, notices, log, audit, endAccess, clock });
  defineFactorResetJob({ queues, execute });
  return {
    factorResets: {
      ...createFactorResets({ ...shared, factors: secondFactor, notices, log }),
      /** Does what is due. The job calls it every minute. */
      runDue: execute,
    },
  };
}
