import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { BrowserSignIn } from '../sign-in/browser-sign-in.ts';
import type { People } from '../users/compose.ts';
import { createAcceptance } from './acceptance.ts';
import { createMailLimits } from './mail-limits.ts';
import { createInvitations } from './service.ts';
import { createInvitationStore } from './store.ts';

interface InvitationNeeds extends People {
  invitationStore: ReturnType<typeof composeInvitationStore>;
  audit: Audit;
}

export const composeInvitationStore = ({ config, db }: Pick<Resources, 'config' | 'db'>) =>
  createInvitationStore(db, { hasAdminKey: config.ADMIN_API_KEY !== undefined });

/** Invitations, managed by admins. */
export const composeInvitations = (
  { clock, redis, keys, baseUrl }: Resources,
  { invitationStore: store, ...needs }: InvitationNeeds & { messages: Messages },
) => ({
  invitations: createInvitations({
    ...needs,
    store,
    mailLimits: createMailLimits({ redis, clock, key: keys('invitation-mails') }),
    clock,
    baseUrl,
  }),
});

/** Accepting invitations. */
export const composeAcceptance = (
  { clock, db }: Resources,
  {
    invitationStore: store,
    ...needs
  }: Omit<InvitationNeeds, 'findUser'> & { browserSignIn: BrowserSignIn },
) => ({ acceptance: createAcceptance({ ...needs, db, store, clock }) });
