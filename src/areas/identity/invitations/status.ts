import type { Invitation, InvitationStatus } from './store.ts';

/** What became of an invitation. `now`: Unix ms. */
export function statusOf(invitation: Invitation, now: number): InvitationStatus {
  if (invitation.accepted_at !== null) return 'accepted';
  if (invitation.revoked_at !== null) return 'revoked';
  return invitation.expires_at.getTime() > now ? 'pending' : 'expired';
}
