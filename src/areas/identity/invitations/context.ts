import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { People } from '../users/compose.ts';
import type { InvitationStore } from './store.ts';

/** What the services of invitations are made from. */
export type InvitationParts = Resources &
  Pick<People, 'users' | 'review' | 'findUser'> & {
    audit: Audit;
    messages: Messages;
    invitationStore: InvitationStore;
  };
