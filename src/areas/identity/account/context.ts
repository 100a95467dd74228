import type { AreaPersonalData } from '../../../platform/database/personal-data.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { Otp } from '../codes/service.ts';
import type { SecondFactor } from '../factors/service.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Users } from '../users/service.ts';
import type { AvatarStore } from './avatar/store.ts';
import type { ContactStore } from './contact/store.ts';
import type { ContactUndoStore } from './contact/undo-store.ts';
import type { PendingContacts } from './contact/pending-contacts.ts';
import type { DeletionStore } from './deletion/store.ts';
import type { ExportStore } from './export/store.ts';
import type { AccountNotices } from './notices.ts';
import type { FindPerson } from './find-person.ts';
import type { ProfileStore } from './profile/store.ts';
import type { CountChange } from './user-limit.ts';

/** What the account of a user needs of other folders. */
export interface AccountNeeds {
  users: Users;
  sessions: Sessions;
  secondFactor: SecondFactor;
  otp: Otp;
  messages: Messages;
  audit: Audit;
  /** What every area knows of people. */
  personalData: readonly AreaPersonalData[];
}

/** What the stores and shared parts of the own account are made from. */
export type AccountResources = Resources & AccountNeeds;

/** And what its services share. */
export interface AccountParts extends AccountResources {
  avatars: AvatarStore;
  contacts: ContactStore;
  contactUndos: ContactUndoStore;
  deletions: DeletionStore;
  exports: ExportStore;
  profiles: ProfileStore;
  pendingContacts: PendingContacts;
  notices: AccountNotices;
  countChange: CountChange;
  findPerson: FindPerson;
}
