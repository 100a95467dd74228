import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { Management } from '../devices/management/service.ts';
import type { SecondFactor } from '../factors/service.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Users } from '../users/service.ts';
import type { EndAccess } from './access-ending.ts';
import type { ResetNotices } from './notices.ts';
import type { ResetLog } from './reset-log.ts';
import type { ResetStore } from './store.ts';

/** What resets need of other folders. */
export interface ResetNeeds {
  audit: Audit;
  messages: Messages;
  users: Users;
  sessions: Sessions;
  management: Management;
  secondFactor: SecondFactor;
}

/** What the store and the messages of resets are made from. */
export type ResetResources = Resources &
  ResetNeeds & {
    store: ResetStore;
    /** The token of the link that cancels a reset. */
    tokenOf: (resetId: string) => string;
  };

/** And what the services of resets share. */
export type ResetParts = ResetResources & {
  notices: ResetNotices;
  log: ResetLog;
  endAccess: EndAccess;
};
