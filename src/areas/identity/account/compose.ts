import { createSeal } from '../../../lib/secrets/seal.ts';
import type { AreaPersonalData } from '../../../platform/database/personal-data.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { Otp } from '../codes/service.ts';
import type { SecondFactor } from '../factors/service.ts';
import type { Users } from '../users/service.ts';
import { createAvatarStore } from './avatar/store.ts';
import { createAvatars } from './avatar/service.ts';
import { createContactStore } from './contact/store.ts';
import { createContacts } from './contact/service.ts';
import { createPendingContacts } from './contact/pending-contacts.ts';
import { createDeletionStore } from './deletion/store.ts';
import { createDeletions } from './deletion/service.ts';
import { createErasure } from './deletion/erasure.ts';
import { createCollecting, shownRows } from './export/collecting.ts';
import { createExportStore, createPersonReads } from './export/store.ts';
import { createExports } from './export/service.ts';
import { defineAccountUpkeep, defineExportJob } from './jobs.ts';
import { createAccountNotices } from './notices.ts';
import { createRedisErasure, sessionsOfPerson } from './person-stores.ts';
import { createPersons } from './persons.ts';
import { createProfile } from './profile/service.ts';
import { createProfileStore } from './profile/store.ts';
import { createUserLimits } from './user-limit.ts';

export interface OwnAccountNeeds {
  users: Users;
  sessions: Sessions;
  secondFactor: SecondFactor;
  otp: Otp;
  messages: Messages;
  audit: Audit;
  /** What every area knows of people. */
  personalData: readonly AreaPersonalData[];
}

function composeParts(
  { config, clock, logger, db, redis, keys, baseUrl }: Resources,
  needs: OwnAccountNeeds,
) {
  return {
    ...needs,
    clock,
    db,
    baseUrl,
    contactEmail: config.CONTACT_EMAIL,
    appName: config.APP_NAME,
    seal: createSeal(keys('account')),
    notices: createAccountNotices({ ...needs, clock, logger, baseUrl }),
    countChange: createUserLimits(redis, config.RATE_LIMIT),
    findPerson: createPersons(needs),
    pendingContacts: createPendingContacts(redis, createSeal(keys('account-contacts'))),
    avatarStore: createAvatarStore(db),
  };
}

type Parts = ReturnType<typeof composeParts>;

/** Copies of a user's data, and the job that makes them. */
function composeExports({ queues, db }: Resources, parts: Parts) {
  const { personalData, sessions, avatarStore } = parts;
  const exports = createExportStore(db);
  const stores = [sessionsOfPerson(sessions)];
  const readRows = createPersonReads(db);
  const queue = defineExportJob({
    ...parts,
    queues,
    exports,
    collect: createCollecting({ ...parts, stores, readRows }),
    async pictureOf(userId) {
      const hash = await avatarStore.hashOf(userId);
      return hash === undefined ? undefined : avatarStore.find(userId, hash);
    },
  });
  const total = shownRows(personalData).length + stores.length;
  return { exportStore: exports, exports: createExports({ ...parts, exports, queue, total }) };
}

/** The own account: profile, picture, addresses, data and deletion. */
export function composeOwnAccount(resources: Resources, needs: OwnAccountNeeds) {
  const { db, queues, clock } = resources;
  const parts = composeParts(resources, needs);
  const deletionStore = createDeletionStore({ ...parts, db });
  const { exportStore, exports } = composeExports(resources, parts);
  const { eraseOne, eraseDue } = createErasure({
    ...parts,
    deletions: deletionStore,
    eraseFromRedis: createRedisErasure(parts),
  });
  defineAccountUpkeep({ queues, exports: exportStore, eraseDue, clock });
  return {
    ownAccount: {
      profiles: createProfile({ ...parts, profiles: createProfileStore(db) }),
      avatars: createAvatars({ ...parts, avatars: parts.avatarStore }),
      contacts: createContacts({ ...parts, contacts: createContactStore(db) }),
      deletions: createDeletions({ ...parts, deletions: deletionStore, eraseOne }),
      exports,
      /** Deletes the accounts that are due. The hourly job calls it. */
      eraseDue,
    },
  };
}

export type OwnAccountServices = ReturnType<typeof composeOwnAccount>['ownAccount'];
