import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { remembering, rememberingFor } from '../../lib/remembering.ts';
import type { User } from '../users/store.ts';
import { authErrors } from './errors.ts';
import { createSessionViews } from './session-views.ts';
import {
  type SessionRecord,
  type SessionStore,
  userFreshMs,
  type UserRecord,
} from './session-store.ts';
import {
  createTokenSecrets,
  isSecret,
  newSecret,
  readToken,
  secretHash,
  type Token,
  type TokenKind,
  writeToken,
} from './tokens.ts';

/** Lifetimes in ms; NIST SP 800-63B-4 §2.1.3 and §2.2.3, RFC 9700 §4.14. */
export const lifetimes = {
  cookie: 24 * 3_600_000,
  cookieIdle: 3_600_000,
  access: 15 * 60_000,
  refresh: 30 * 24 * 3_600_000,
  refreshGrace: 30_000,
};

const mostSessions = 10;
const touchEveryMs = 60_000;

/** What a sign-in has proved: authentication methods (RFC 8176) and assurance level. */
export interface Proof {
  amr: readonly string[];
  acr: 'aal1' | 'aal2';
  /** When the sign-in began, Unix ms: one that began before all sessions were ended gives no session. */
  begun: number;
  /** Browser and system, to recognise the session by. */
  client: string;
}

/** A live session and its person, as of one read. */
export interface Session extends Omit<SessionRecord, 'secret'> {
  userId: string;
  user: UserRecord;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
  refreshExpiresIn: number;
  sessionId: string;
  /** Every use has to prove a key (RFC 9449). */
  isBound: boolean;
}

export interface RefreshWith {
  /** Told before the refusal when a token was used a second time. */
  onReuse: (reused: { userId: string; sessionId: string }) => Promise<void>;
  /** Throws unless the request proves the key that the tokens are bound to (RFC 9449 §5). */
  prove: (jkt: string) => Promise<void>;
}

export interface SessionsDeps {
  store: SessionStore;
  clock: Clock;
  /** 32 bytes. */
  key: Buffer;
  /** Reads a person again; undefined when there is none any more. */
  findUser: (id: string) => Promise<User | undefined>;
  noteSeen: (id: string) => Promise<unknown>;
}

const valueOf = (user: User, kind: 'email' | 'phone') =>
  user.identities.find((identity) => identity.kind === kind);

/** What sessions keep of a person, read at `at` (Unix ms). */
export function toUserRecord(user: User, at: number): UserRecord {
  return {
    at,
    disabled: user.disabledAt !== null,
    roles: [...user.roles],
    name: user.name,
    picture: user.picture,
    email: valueOf(user, 'email')?.value ?? null,
    phone: valueOf(user, 'phone')?.key ?? null,
  };
}

function newRecord(
  proof: Proof,
  via: SessionRecord['via'],
  secret: string,
  now: number,
): SessionRecord {
  const life = via === 'cookie' ? lifetimes.cookie : lifetimes.refresh;
  return {
    id: randomUUID(),
    via,
    secret,
    created_at: now,
    expires_at: now + life,
    idle_ms: via === 'cookie' ? lifetimes.cookieIdle : life,
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

/** Cookie sessions and bearer tokens. Rejects with Redis' error while it is away: nobody gets in then. */
export function createSessions({ store, clock, key, findUser, noteSeen }: SessionsDeps) {
  const secrets = createTokenSecrets(key);
  const known = remembering(readToken, 5000);
  const hashOf = rememberingFor(({ secret }: Token) => secretHash(secret));
  const sessionOf = createSessionViews();

  async function add(user: User, record: SessionRecord, begun: number): Promise<void> {
    const isAdded = await store.create(user.id, record, { begun, most: mostSessions });
    if (!isAdded) throw authErrors.revoked_meanwhile();
    noteSeen(user.id).catch(() => undefined);
  }

  function write(
    kind: TokenKind,
    userId: string,
    session: Pick<SessionRecord, 'id' | 'secret'>,
    generation: number,
  ): string {
    return writeToken({
      kind,
      userId,
      sessionId: session.id,
      generation,
      secret: secrets.of(kind, session.id, generation, session.secret),
    });
  }

  function tokensOf(
    userId: string,
    session: SessionRecord,
    generation: number,
    issuedAt: number,
  ): Tokens {
    const now = clock.now();
    return {
      accessToken: write('access', userId, session, generation),
      refreshToken: write('refresh', userId, session, generation),
      expiresIn: Math.max(0, Math.ceil((issuedAt + lifetimes.access - now) / 1000)),
      refreshExpiresIn: Math.max(0, Math.ceil((session.expires_at - now) / 1000)),
      sessionId: session.id,
      isBound: session.device != null && session.device.jkt !== null,
    };
  }

  function isAuthentic(token: Token, { via, secret }: SessionRecord): boolean {
    // A cookie has one spelling: what its secret does not cover is zero.
    if (token.kind === 'session')
      return via === 'cookie' && token.generation === 0 && isSecret(hashOf(token), secret);
    return via === 'bearer' && secrets.isOurs(token, secret);
  }

  function isAccessLive({ generation }: Token, session: SessionRecord, now: number): boolean {
    if (generation === session.generation) return now < session.issued_at + lifetimes.access;
    return (
      generation === session.generation - 1 && now < session.previous_issued_at + lifetimes.access
    );
  }

  function isLive(token: Token, session: SessionRecord, now: number): boolean {
    if (now >= session.expires_at || now >= session.used_at + session.idle_ms) return false;
    return token.kind === 'session' || isAccessLive(token, session, now);
  }

  async function fresh(
    userId: string,
    known: UserRecord,
    now: number,
  ): Promise<UserRecord | undefined> {
    // In both directions: the clock may have been put back.
    if (Math.abs(now - known.at) < userFreshMs) return known;
    const user = await findUser(userId);
    if (user === undefined) return undefined;
    const record = toUserRecord(user, now);
    store.putUser(userId, record, { hasChanged: false }).catch(() => undefined);
    return record;
  }

  function noteUse(userId: string, session: SessionRecord, now: number): void {
    if (now - session.used_at < touchEveryMs) return;
    // Sampled and not waited for: losing it shortens the idle time by a minute.
    store.touch(userId, session.id, now).catch(() => undefined);
    noteSeen(userId).catch(() => undefined);
  }

  async function check(token: Token): Promise<Session | undefined> {
    const found = await store.read(token.userId, token.sessionId);
    const now = clock.now();
    if (found === undefined) return undefined;
    if (!isAuthentic(token, found.session) || !isLive(token, found.session, now)) return undefined;
    const user = await fresh(token.userId, found.user, now);
    if (user === undefined || user.disabled) return undefined;
    noteUse(token.userId, found.session, now);
    return sessionOf(token.userId, found.session, user);
  }

  async function authenticRefresh(text: string): Promise<{ token: Token; session: SessionRecord }> {
    const token = readToken(text);
    const found =
      token?.kind === 'refresh' ? await store.read(token.userId, token.sessionId) : undefined;
    if (token === undefined || found === undefined || !isAuthentic(token, found.session))
      throw authErrors.invalid_grant();
    return { token, session: found.session };
  }

  return {
    /** Opens a browser's session. Gives the cookie's value. Throws `auth.revoked_meanwhile`. */
    async openCookie(
      user: User,
      proof: Proof,
    ): Promise<{ cookie: string; sessionId: string; expiresAt: number }> {
      const secret = newSecret();
      const record = newRecord(proof, 'cookie', secretHash(secret), clock.now());
      await add(user, record, proof.begun);
      const cookie = writeToken({
        kind: 'session',
        userId: user.id,
        sessionId: record.id,
        generation: 0,
        secret,
      });
      return { cookie, sessionId: record.id, expiresAt: record.expires_at };
    },

    /** Opens a bearer client's session. Throws `auth.revoked_meanwhile`. */
    async openBearer(user: User, proof: Proof): Promise<Tokens> {
      const record = newRecord(proof, 'bearer', randomBytes(16).toString('base64url'), clock.now());
      await add(user, record, proof.begun);
      return tokensOf(user.id, record, 0, record.issued_at);
    },

    /** The live session that a cookie's value or an access token stands for. */
    async find(text: string, via: 'cookie' | 'bearer'): Promise<Session | undefined> {
      const token = known(text);
      return token?.kind === (via === 'cookie' ? 'session' : 'access') ? check(token) : undefined;
    },

    /** A live session as it is now, without counting as a use of it. */
    async peek(userId: string, sessionId: string): Promise<Session | undefined> {
      const found = await store.read(userId, sessionId);
      const now = clock.now();
      if (
        found === undefined ||
        now >= found.session.expires_at ||
        now >= found.session.used_at + found.session.idle_ms
      )
        return undefined;
      const user = await fresh(userId, found.user, now);
      return user === undefined || user.disabled
        ? undefined
        : sessionOf(userId, found.session, user);
    },

    /** When the newest access token of the session ends, Unix ms. */
    accessEndsAt: ({ issued_at: issuedAt }: Pick<Session, 'issued_at'>): number =>
      issuedAt + lifetimes.access,

    /**
     * Replaces the tokens (RFC 6749 §6). A token that was replaced less than 30 seconds ago gives the same successors
     * again; any other old one ends the session, for two hold it (RFC 9700 §4.14.2). Throws `auth.invalid_grant`.
     */
    async refresh(text: string, { onReuse, prove }: RefreshWith): Promise<Tokens & { user: User }> {
      const { token, session } = await authenticRefresh(text);
      if (session.device != null && session.device.jkt !== null) await prove(session.device.jkt);
      const { userId, sessionId, generation } = token;
      const user = await findUser(userId);
      if (user?.disabledAt !== null) throw authErrors.invalid_grant();
      const now = clock.now();
      const became = await store.refresh(
        userId,
        sessionId,
        generation,
        now,
        lifetimes.refreshGrace,
      );
      if (became === 'reused') await onReuse({ userId, sessionId });
      if (became === 'reused' || became === 'gone') throw authErrors.invalid_grant();
      // The record was read before: when it did not know of the successors yet, they are of this moment.
      const issuedAt =
        became === 'rotated' || session.generation === generation ? now : session.issued_at;
      return { ...tokensOf(userId, session, generation + 1, issuedAt), user };
    },

    /** The person's live sessions, newest first. */
    async list(userId: string): Promise<SessionRecord[]> {
      const now = clock.now();
      const all = await store.list(userId);
      return all
        .filter((session) => now < session.expires_at && now < session.used_at + session.idle_ms)
        .sort((a, b) => b.created_at - a.created_at);
    },

    end: store.end,
    setDevice: store.setDevice,
    setDeviceState: store.setDeviceState,
    endOnDevice: store.endOnDevice,
    endAll: (userId: string, except?: string): Promise<number> =>
      store.endAll(userId, clock.now(), lifetimes.refresh, except),

    /** Tells the sessions that the person has changed; those of a disabled one end. */
    async userChanged(user: User): Promise<void> {
      const now = clock.now();
      await store.putUser(user.id, toUserRecord(user, now), { hasChanged: true });
      if (user.disabledAt !== null) await store.endAll(user.id, now, lifetimes.refresh);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
