import { dayMs, hourMs, minuteMs } from '../../../lib/durations.ts';
import { emailKey } from '../../../lib/identifiers.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { pageById } from '../../../lib/keyset-page.ts';
import { randomSecret, sha256Hex } from '../../../lib/secrets/secrets.ts';
import { formatLongDay } from '../../../platform/i18n/dates.ts';
import { requestErrors, retryAfter } from '../../../platform/errors/errors.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { InvitationParts } from './context.ts';
import { invitationErrors } from './errors.ts';
import { createInviterName } from './inviter.ts';
import { createMailLimits } from './mail-limits.ts';
import type {
  CreateInvitationBody,
  InvitationFilters,
  InvitationPage,
  InvitationView,
} from './schemas.ts';
import { statusOf } from './status.ts';
import type { Invitation } from './store.ts';
import { texts } from './texts/en.ts';

/** Limits, installation-wide; `sends` and `pauseMs` for one invitation. */
const limits = { perHour: 100, pending: 500, sends: 5, pauseMs: minuteMs };

const iso = (date: Date | null) => date?.toISOString() ?? null;

const toView = (invitation: Invitation, now: number): InvitationView => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role ?? 'none',
  note: invitation.note,
  status: statusOf(invitation, now),
  invited_by: { kind: invitation.inviter_kind, id: invitation.inviter_id },
  created_at: invitation.created_at.toISOString(),
  sent_at: invitation.sent_at.toISOString(),
  times_sent: invitation.sends,
  expires_at: invitation.expires_at.toISOString(),
  accepted_at: iso(invitation.accepted_at),
  accepted_by: invitation.accepted_by,
  revoked_at: iso(invitation.revoked_at),
});

/** The inviter of a new invitation. Throws `request.forbidden` unless it is a user or a key. */
function inviterOf({ actor: { kind, id } }: AuditActor) {
  if (id === undefined || (kind !== 'user' && kind !== 'api_key')) throw requestErrors.forbidden();
  return { inviter_kind: kind, inviter_id: id };
}

/** Invitations, managed by admins. Links are stored as hashes, and only the email has them. */
export function createInvitations(parts: InvitationParts) {
  const { invitationStore: store, messages, audit, review, clock, baseUrl } = parts;
  const inviterName = createInviterName(parts);
  const mailLimits = createMailLimits(parts);
  return {
    /** Newest first. `cursor` is the `next_cursor` of the previous page. */
    async list(
      {
        filters = {},
        limit,
        cursor,
      }: { filters?: InvitationFilters; limit: number; cursor?: string | undefined },
      signal?: AbortSignal,
    ): Promise<InvitationPage> {
      const now = clock.now();
      const paging = { now: new Date(now), after: cursor };
      const rows = await store.list(limit + 1, filters, paging, signal);
      return pageById(
        rows.map((row) => toView(row, now)),
        limit,
      );
    },

    /** How many are pending. */
    countPending: (signal?: AbortSignal): Promise<number> =>
      store.countPending(new Date(clock.now()), signal),

    /** Throws `invitations.not_found`. */
    get: async (id: string): Promise<InvitationView> => toView(await find(id), clock.now()),

    /**
     * Invites an address by email. Throws `invitations.already_pending`, `.too_many_pending`,
     * `.rate_limited`, `.address_rate_limited`, `users.review_account`, `comms.not_configured`,
     * `comms.recipient_invalid`, `auth.step_up_required`.
     */
    async create(body: CreateInvitationBody, by: AuditActor): Promise<InvitationView> {
      requireFresh(by, clock.now());
      const token = randomSecret();
      const invitation = newInvitation(body, by, token);
      const { email, role } = invitation;
      const address = { kind: 'email' as const, key: email, value: email };
      review.requireNoRole({ identities: [address] }, role === null ? [] : [role]);
      messages.check({ channel: 'email', to: email });
      const release = await mailLimits.take(email);
      try {
        await add(invitation);
        await send(invitation, token).catch(async (error: unknown) => {
          await store.withdraw(invitation.id);
          throw error;
        });
      } catch (error) {
        await release();
        throw error;
      }
      await record('invitation.created', invitation, by);
      return toView(invitation, clock.now());
    },

    /**
     * Sends an invitation again with a new link: the previous one stops working, and the time
     * restarts. The caller answers for it from now on. Throws `invitations.not_found`,
     * `.not_open`, `.resent_too_often`, `.rate_limited`, `.address_rate_limited`,
     * `auth.step_up_required`.
     */
    async resend(id: string, by: AuditActor): Promise<InvitationView> {
      requireFresh(by, clock.now());
      const before = await find(id);
      messages.check({ channel: 'email', to: before.email });
      const release = await mailLimits.take(before.email);
      const invitation = await renewAndSend(before, by).catch(async (error: unknown) => {
        await release();
        throw error;
      });
      await record('invitation.resent', invitation, by);
      return toView(invitation, clock.now());
    },

    /**
     * Takes back a revocation of the last hour: the link works again, until it expires. Throws
     * `invitations.not_found`, `.not_open`, `auth.step_up_required`.
     */
    async unrevoke(id: string, by: AuditActor): Promise<InvitationView> {
      requireFresh(by, clock.now());
      const now = clock.now();
      const restored = await store.unrevoke(id, new Date(now - hourMs), new Date(now));
      if (restored === undefined) {
        await find(id);
        throw invitationErrors.not_open();
      }
      await record('invitation.restored', restored, by);
      return toView(restored, now);
    },

    /**
     * Makes the link invalid. Revoking a revoked invitation changes nothing. Throws
     * `invitations.not_found`, `.not_open`.
     */
    async revoke(id: string, by: AuditActor): Promise<InvitationView> {
      const now = clock.now();
      const revoked = await store.revoke(id, new Date(now));
      if (revoked !== undefined) {
        await record('invitation.revoked', revoked, by);
        return toView(revoked, now);
      }
      const found = await find(id);
      if (statusOf(found, now) !== 'revoked') throw invitationErrors.not_open();
      return toView(found, now);
    },

    /** Revokes the open invitations of a user who may not invite people any more. */
    async revokeOf(userId: string, by: AuditActor): Promise<void> {
      for (const revoked of await store.revokeOf(userId, new Date(clock.now())))
        await record('invitation.revoked', revoked, by);
    },
  };

  async function find(id: string): Promise<Invitation> {
    const invitation = await store.find(id);
    if (invitation === undefined) throw invitationErrors.not_found();
    return invitation;
  }

  function newInvitation(body: CreateInvitationBody, by: AuditActor, token: string): Invitation {
    const now = clock.now();
    return {
      id: uuidv7(now),
      email: emailKey(body.email),
      role: body.role === 'none' ? null : body.role,
      note: body.note === '' ? null : (body.note ?? null),
      lifetime_days: body.expires_in_days,
      token_hash: sha256Hex(token),
      ...inviterOf(by),
      created_at: new Date(now),
      sent_at: new Date(now),
      sends: 1,
      expires_at: new Date(now + body.expires_in_days * dayMs),
      claimed_at: null,
      accepted_at: null,
      accepted_by: null,
      revoked_at: null,
    };
  }

  async function add(invitation: Invitation): Promise<void> {
    const outcome = await store.insert(invitation, limits);
    if (outcome === 'already') throw invitationErrors.already_pending();
    if (outcome === 'too_many') throw invitationErrors.too_many_pending();
    if (outcome === 'hourly') throw invitationErrors.rate_limited(retryAfter(hourMs / 1000));
  }

  async function renewAndSend(before: Invitation, by: AuditActor): Promise<Invitation> {
    const token = randomSecret();
    const invitation = await renew(before.id, by, token);
    try {
      await send(invitation, token);
    } catch (error) {
      await store.withdrawResend(before, invitation);
      throw error;
    }
    return invitation;
  }

  /** The caller becomes the inviter. */
  async function renew(id: string, by: AuditActor, token: string): Promise<Invitation> {
    const now = clock.now();
    const next = { token_hash: sha256Hex(token), ...inviterOf(by), sent_at: new Date(now) };
    const invitation = await store.resend(id, next, limits);
    if (invitation === 'hourly') throw invitationErrors.rate_limited(retryAfter(hourMs / 1000));
    if (invitation !== undefined) return invitation;
    const isOpen = ['pending', 'expired'].includes(statusOf(await find(id), now));
    throw isOpen
      ? invitationErrors.resent_too_often(retryAfter(minuteMs / 1000))
      : invitationErrors.not_open();
  }

  /** Sends the link. The inviter is named, so that the recipient knows who asks. */
  async function send(invitation: Invitation, token: string): Promise<void> {
    const { id, email, role, note, sends, expires_at: ends } = invitation;
    await messages.send({
      channel: 'email',
      to: email,
      template: 'invitation',
      params: {
        url: `${baseUrl}/invitation?token=${token}`,
        until: formatLongDay(ends),
        inviter: await inviterName(invitation),
        role: role === null ? undefined : texts.roles[role],
        note: note ?? undefined,
      },
      key: `invitation:${id}:${sends}`,
      expiresAt: ends.getTime(),
    });
  }

  function record(action: AuditAction, { id, role }: Invitation, by: AuditActor): Promise<void> {
    return audit.record({
      ...by,
      action,
      target: { kind: 'invitation', id },
      details: { role: role ?? 'none' },
    });
  }
}

export type Invitations = ReturnType<typeof createInvitations>;
