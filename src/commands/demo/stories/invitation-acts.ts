import { createInvitationStore, type Invitation } from '../../../areas/users/invitations/store.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { adminOf, hashOf, idOf, type World } from '../world.ts';
import type { Act } from './timeline.ts';

interface Guest extends Pick<Invitation, 'email' | 'role' | 'note'> {
  /** Hours before the end of the story. */
  hours: number;
  /** The account of this address accepted it when it was created. */
  hasAccepted?: boolean;
  revokedAfterHours?: number;
  sends?: number;
}

const lifetimeDays = 7;
const limits = { perHour: 100, pending: 500 };

const guests: readonly Guest[] = [
  { hours: 6, email: 'femke@agency.example', role: 'viewer', note: 'For the spring campaign.' },
  { hours: 51, email: 'lukas@shop.example', role: 'admin', note: null, sends: 2 },
  {
    hours: 40 * 24,
    email: 'accounts@ledger.example',
    role: 'viewer',
    note: 'You asked for the figures of the last quarter.',
  },
  {
    hours: 122 * 24,
    email: 'marta@studio.example',
    role: 'viewer',
    note: null,
    revokedAfterHours: 20,
  },
];

/** The invitations of the colleagues, who have accepted them. */
const colleagues = (world: World): Guest[] =>
  world.people
    .filter(({ role }) => role !== undefined)
    .slice(1)
    .map(({ email, role = null, signIns: [joinedAt = world.story.from] }) => ({
      hours: (world.story.until - joinedAt) / hourMs + 1,
      email,
      role,
      note: null,
      hasAccepted: true,
    }));

/** They go through the store, because the service would send an email. */
function invite(world: World, guest: Guest): Act {
  const { email, role, note, hours, hasAccepted = false, revokedAfterHours, sends = 1 } = guest;
  const createdAt = Math.round(world.story.until - hours * hourMs);
  // The account exists an hour after the invitation.
  const at = hasAccepted ? createdAt + hourMs + 1 : createdAt;
  const sentAt = createdAt + (sends - 1) * dayMs;
  const isOpen = !hasAccepted && revokedAfterHours === undefined;
  const store = createInvitationStore(world.app.stores.db, { hasAdminKey: false });
  const play = () =>
    store.insert(
      {
        ...{ id: uuidv7(createdAt), email, role, note, sends, lifetime_days: lifetimeDays },
        token_hash: isOpen ? hashOf(`invitation ${email}`) : null,
        inviter_kind: 'user',
        inviter_id: adminOf(world).actor.id,
        created_at: new Date(createdAt),
        sent_at: new Date(sentAt),
        expires_at: new Date(sentAt + lifetimeDays * dayMs),
        claimed_at: null,
        accepted_at: hasAccepted ? new Date(at) : null,
        accepted_by: hasAccepted ? idOf(world, { email }) : null,
        revoked_at:
          revokedAfterHours === undefined ? null : new Date(createdAt + revokedAfterHours * hourMs),
      },
      limits,
    );
  return { at, play };
}

/** Invitations in every state. */
export const invitationActs = (world: World): Act[] =>
  [...colleagues(world), ...guests].map((guest) => invite(world, guest));
