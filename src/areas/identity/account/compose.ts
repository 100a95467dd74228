import type { Resources } from '../../../platform/resources.ts';
import { createAvatarStore } from './avatar/store.ts';
import { createAvatars } from './avatar/service.ts';
import { createContactStore } from './contact/store.ts';
import { createContacts } from './contact/service.ts';
import { createContactUndos } from './contact/undo.ts';
import { createContactUndoStore } from './contact/undo-store.ts';
import { createPendingContacts } from './contact/pending-contacts.ts';
import type { AccountNeeds, AccountParts, AccountResources } from './context.ts';
import { createDeletionStore } from './deletion/store.ts';
import { createDeletions } from './deletion/service.ts';
import { createErasure } from './deletion/erasure.ts';
import { createCollect } from './export/collect.ts';
import { createExportStore } from './export/store.ts';
import { createExports } from './export/service.ts';
import { defineAccountUpkeep, defineExportJob } from './jobs.ts';
import { createAccountNotices } from './notices.ts';
import { createFindPerson } from './find-person.ts';
import { createProfile } from './profile/service.ts';
import { createProfileStore } from './profile/store.ts';
import { createUserLimits } from './user-limit.ts';

const composeParts = (resources: AccountResources): AccountParts => ({
  ...resources,
  avatars: createAvatarStore(resources.db),
  contacts: createContactStore(resources.db),
  contactUndos: createContactUndoStore(resources.db),
  deletions: createDeletionStore(resources),
  exports: createExportStore(resources.db),
  profiles: createProfileStore(resources.db),
  pendingContacts: createPendingContacts(resources),
  notices: createAccountNotices(resources),
  countChange: createUserLimits(resources),
  findPerson: createFindPerson(resources),
});

/** The own account: profile, picture, addresses, data and deletion. */
export function composeOwnAccount(resources: Resources, needs: AccountNeeds) {
  const parts = composeParts({ ...resources, ...needs });
  const { collect, total } = createCollect(parts);
  const contactUndos = createContactUndos(parts);
  const queue = defineExportJob(parts, collect);
  const { eraseOne, eraseDue } = createErasure(parts);
  defineAccountUpkeep(parts, eraseDue);
  return {
    ownAccount: {
      profiles: createProfile(parts),
      avatars: createAvatars(parts),
      contacts: createContacts(parts, contactUndos),
      contactUndos,
      deletions: createDeletions(parts, eraseOne),
      exports: createExports(parts, { queue, total }),
      /** Deletes the accounts that are due. The hourly job calls it. */
      eraseDue,
    },
  };
}

export type OwnAccountServices = ReturnType<typeof composeOwnAccount>['ownAccount'];
