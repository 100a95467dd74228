import { randomBytes, randomUUID } from 'node:crypto';
import { identitySignal } from '../../../platform/bus/signals.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { User } from '../users/model.ts';
import type { SessionResources } from './context.ts';
import { authErrors } from './errors.ts';
import { createSessionLookup } from './lookup.ts';
import { type SessionRecord, toUserRecord, type UserRecord } from './records.ts';
import { createSessionStore } from './store.ts';
import {
  accessExpiry,
  createSessionTokens,
  isOver,
  lifetimes,
  type Tokens,
} from './session-tokens.ts';
import { newSecret, readToken, secretHash, type Token, writeToken } from './tokens.ts';

const maxSessions = 10;

/** What a sign-in has verified: authentication methods (RFC 8176) and assurance level. */
export interface Proof {
  amr: readonly string[];
  acr: 'aal1' | 'aal2';
  /** When the sign-in began, Unix ms. Ending all sessions also stops sign-ins begun earlier. */
  begun: number;
  /** Browser and system, shown in the list of sessions. */
  client: string;
}

/** A live session and its user, as of one read. */
export interface Session extends Omit<SessionRecord, 'secret'> {
  userId: string;
  user: UserRecord;
}

interface RefreshOptions {
  /** Called before the refusal when a token is used a second time. */
  onReuse: (reused: { userId: string; sessionId: string }) => Promise<void>;
  /** Throws unless the request proves the key that the tokens are bound to (RFC 9449 §5). */
  prove: (jkt: string) => Promise<void>;
}

function newRecord(
  proof: Proof,
  via: SessionRecord['via'],
  secret: string,
  now: number,
): SessionRecord {
  const lifetime = via === 'cookie' ? lifetimes.cookie : lifetimes.refresh;
  return {
    id: randomUUID(),
    via,
    secret,
    created_at: now,
    expires_at: now + lifetime,
    idle_ms: via === 'cookie' ? lifetimes.cookieIdle : lifetime,
    used_at: now,
    auth_time: now,
    amr: [...proof.amr],
    acr: proof.acr,
    generation: 0,
    issued_at: now,
    previous_issued_at: 0,
    client: proof.client,
  };
}

/**
 * Cookie sessions and bearer tokens. An event is published whenever one ends or the rights of its
 * user change; callers don't wait for it. Rejects with Redis' error while Redis is unavailable.
 */
export function createSessions(parts: SessionResources) {
  const { bus, clock, keys, users, findUser, noteSeen, knownDevices, audit } = parts;
  const store = createSessionStore(parts);
  const tokens = createSessionTokens(keys('tokens'), clock);
  return {
    /**
     * Opens a browser's session and returns the cookie's value. Throws `auth.revoked_meanwhile`.
     */
    async openCookie(
      user: User,
      proof: Proof,
    ): Promise<{ cookie: string; sessionId: string; expiresAt: number }> {
      const secret = newSecret();
      const record = newRecord(proof, 'cookie', secretHash(secret), clock.now());
      await add(user, record, proof.begun);
      const { id: sessionId, expires_at: expiresAt } = record;
      const token = { userId: user.id, sessionId, generation: 0, secret };
      return { cookie: writeToken({ kind: 'session', ...token }), sessionId, expiresAt };
    },

    /** Opens a bearer client's session. Throws `auth.revoked_meanwhile`. */
    async openBearer(user: User, proof: Proof): Promise<Tokens> {
      const record = newRecord(proof, 'bearer', randomBytes(16).toString('base64url'), clock.now());
      await add(user, record, proof.begun);
      return tokens.issue(user.id, record, 0, record.issued_at);
    },

    ...createSessionLookup(parts, store, tokens),

    /** When the session's newest access token expires, Unix ms. */
    accessEndsAt: ({ issued_at: issuedAt }: Pick<Session, 'issued_at'>): number =>
      accessExpiry(issuedAt),

    /**
     * Rotates the tokens (RFC 6749 §6). A refresh token rotated less than 30 seconds ago gives the
     * same successors again. Any older one ends the session, because two parties hold it (RFC 9700
     * §4.14.2). Throws `auth.invalid_grant`.
     */
    async refresh(
      text: string,
      { onReuse, prove }: RefreshOptions,
    ): Promise<Tokens & { user: User }> {
      const { token, session } = await authenticate(text);
      if (session.device != null && session.device.jkt !== null) await prove(session.device.jkt);
      const { userId, sessionId, generation } = token;
      const user = await findUser(userId);
      if (user?.disabledAt !== null || !users.isUsable(user)) throw authErrors.invalid_grant();
      const now = clock.now();
      const { refreshGrace } = lifetimes;
      const outcome = await store.refresh(userId, sessionId, generation, now, refreshGrace);
      if (outcome === 'reused') {
        publishEnd(userId, sessionId, 1);
        await onReuse({ userId, sessionId });
      }
      if (outcome === 'reused' || outcome === 'gone') throw authErrors.invalid_grant();
      // `session` was read before the rotation: if it lacks the successors, they are new.
      const isNew = outcome === 'rotated' || session.generation === generation;
      const issuedAt = isNew ? now : session.issued_at;
      return { ...tokens.issue(userId, session, generation + 1, issuedAt), user };
    },

    /** The user's live sessions, newest first. */
    async list(userId: string): Promise<SessionRecord[]> {
      const now = clock.now();
      const all = await store.list(userId);
      return all
        .filter((session) => !isOver(session, now))
        .sort((a, b) => b.created_at - a.created_at);
    },

    end,
    endAll,

    /**
     * Ends a session of the user who asks for it, and records that. Returns false when there was no
     * such session, or no longer.
     */
    async endOwn(
      userId: string,
      sessionId: string,
      from: RequestSource,
      reason?: string,
    ): Promise<boolean> {
      if (!(await end(userId, sessionId))) return false;
      await audit.record({
        ...userActor(userId, from),
        action: 'session.revoked',
        reason,
        target: { kind: 'session', id: sessionId },
      });
      return true;
    },

    /** Ends the sessions of the user who asks for it, and records that. Returns the count. */
    async endAllOwn(userId: string, from: RequestSource, except?: string): Promise<number> {
      const count = await endAll(userId, except);
      const target = { kind: 'user', id: userId };
      await audit.record({ ...userActor(userId, from), action: 'session.revoked_all', target });
      return count;
    },

    /** Ends the sessions on a device. Returns the count. */
    async endOnDevice(userId: string, deviceId: string): Promise<number> {
      const count = await store.endOnDevice(userId, deviceId);
      if (count > 0) publishEnd(userId, null, count);
      return count;
    },

    /**
     * Makes the sign-in of a session recent, with what the user has just verified. Its id, secret
     * and device stay. Returns false when the session has ended.
     */
    confirm: (
      userId: string,
      sessionId: string,
      proof: Pick<SessionRecord, 'acr' | 'amr'>,
    ): Promise<boolean> => store.confirm(userId, sessionId, clock.now(), proof),

    setDevice: store.setDevice,

    /** Copies the device's new state into its sessions. */
    async setDeviceState(userId: string, deviceId: string, state: string): Promise<void> {
      await store.setDeviceState(userId, deviceId, state);
      bus.signal(identitySignal, userId);
    },

    /** Ends the sessions of a deleted user, stops sign-ins in progress, and forgets the user. */
    async erase(userId: string): Promise<void> {
      await store.endAll(userId, clock.now(), lifetimes.refresh);
      await store.forgetUser(userId);
      publishEnd(userId, null, 0);
    },

    /** Updates the cached user of its sessions, and ends them all if the user is disabled. */
    async userChanged(user: User): Promise<void> {
      const now = clock.now();
      await store.putUser(user.id, toUserRecord(user, now), { hasChanged: true });
      if (user.disabledAt !== null) await store.endAll(user.id, now, lifetimes.refresh);
      bus.signal(identitySignal, user.id);
    },
  };

  async function add(user: User, record: SessionRecord, begun: number): Promise<void> {
    const isAdded = await store.create(user.id, record, { begun, max: maxSessions });
    if (!isAdded) throw authErrors.revoked_meanwhile();
    noteSeen(user.id).catch(() => undefined);
  }

  async function authenticate(text: string): Promise<{ token: Token; session: SessionRecord }> {
    const token = readToken(text);
    if (token?.kind !== 'refresh') throw authErrors.invalid_grant();
    const found = await store.read(token.userId, token.sessionId);
    if (found === undefined || !tokens.isAuthentic(token, found.session))
      throw authErrors.invalid_grant();
    return { token, session: found.session };
  }

  /** Ends a session. Returns false when there was no such session. */
  async function end(userId: string, sessionId: string): Promise<boolean> {
    const hasEnded = await store.end(userId, sessionId);
    if (hasEnded) publishEnd(userId, sessionId, 1);
    return hasEnded;
  }

  /** Ends all sessions but `except`, and forgets the other devices. Returns the count. */
  async function endAll(userId: string, except?: string): Promise<number> {
    const count = await store.endAll(userId, clock.now(), lifetimes.refresh, except);
    if (count > 0) publishEnd(userId, null, count);
    const user = await findUser(userId);
    if (user !== undefined) await knownDevices.forget(user, except);
    return count;
  }

  /** The event goes first, because the signal closes the sockets that are to receive it. */
  function publishEnd(userId: string, sessionId: string | null, count: number): void {
    const data = { session_id: sessionId, count };
    void bus
      .publish(`svc:${userId}`, { type: 'session.revoked', data })
      .catch(() => undefined)
      .then(() => bus.signal(identitySignal, userId));
  }
}

export type Sessions = ReturnType<typeof createSessions>;
