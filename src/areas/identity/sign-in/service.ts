import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import { type TokenResponse, toUserClaims } from '../claims-schemas.ts';
import type { PasskeyRequestOptions } from '../factors/passkeys/webauthn-schemas.ts';
import type { AuditEntry } from '../../audit/service.ts';
import type { MfaFactor, MfaMethod } from '../factors/service.ts';
import type { Profile } from '../users/service.ts';
import type { User, VerifiedIdentity } from '../users/model.ts';
import { authErrors } from '../sessions/errors.ts';
import type { SignInParts } from './context.ts';
import { mfaLifetimeMs } from './mfa-tokens.ts';
import type { Tokens } from '../sessions/session-tokens.ts';
import type { Proof } from '../sessions/service.ts';
import { toOtpRequired, toSignInResponse } from './views.ts';

/** A verified identity, and the origin of the request that verified it. */
export interface VerifiedSignIn extends RequestOrigin {
  identity: VerifiedIdentity;
  /** Identities verified at the same time, such as an address that a provider has verified. */
  also?: readonly VerifiedIdentity[];
  profile?: Profile;
  /** Authentication methods (RFC 8176): `otp`, `sms`, `fed`, … */
  amr: readonly string[];
}

export interface SignedIn {
  user: User;
  isNew: boolean;
}

/** The first factor was accepted, but a second one is due. There is no session yet. */
export interface MfaDue {
  mfaToken: string;
  methods: readonly MfaMethod[];
  /** Seconds. */
  expiresIn: number;
}

export interface BearerSession {
  kind: 'bearer';
  tokens: Tokens;
  /** Presented with later sign-ins, it identifies the device as known. */
  deviceToken: string;
}

export interface CookieSession {
  kind: 'cookie';
  cookie: string;
  sessionId: string;
  /** Unix ms. */
  expiresAt: number;
  /** Presented with later sign-ins, it identifies the device as known. */
  deviceToken: string;
}

/** A union, so that no caller can forget the second factor. */
export type Outcome<Session> = { mfa: MfaDue } | (SignedIn & { mfa?: undefined; session: Session });

/** What a sign-in opens, by the kind of client. */
interface Opened {
  bearer: BearerSession;
  cookie: CookieSession;
}
type Via = keyof Opened;

/** The only way to open a session from a verified identity, for browsers and bearer clients. */
export function createSignIn({
  users,
  sessions,
  secondFactor,
  mfaTokens,
  audit,
  otp,
  knownDevices,
}: SignInParts) {
  const open: { [V in Via]: (user: User, proof: Proof) => Promise<Opened[V]> } = {
    bearer: openBearer,
    cookie: openCookie,
  };
  return {
    /**
     * Signs a bearer client in, unless a second factor is due. Throws `auth.user_disabled`,
     * `auth.revoked_meanwhile`, `users.sign_up_closed`, `users.review_account`.
     */
    asBearer: async (verified: VerifiedSignIn): Promise<TokenResponse> =>
      toSignInResponse(await begin(verified, 'bearer')),

    /** Signs a browser in, unless a second factor is due. Throws the errors of `asBearer`. */
    asCookie: (verified: VerifiedSignIn): Promise<Outcome<CookieSession>> =>
      begin(verified, 'cookie'),

    /**
     * Completes a sign-in with the second factor. Throws `auth.invalid_mfa_token`, `otp.invalid`,
     * `otp.too_many_attempts`, `auth.user_disabled`, `users.review_account`.
     */
    completeAsBearer: async (
      token: string,
      factor: MfaFactor,
      from: RequestOrigin,
    ): Promise<TokenResponse> => toSignInResponse(await complete(token, factor, from, 'bearer')),
    completeAsCookie: (token: string, factor: MfaFactor, from: RequestOrigin) =>
      complete(token, factor, from, 'cookie'),

    withBackupCode,

    /** The second factors that the pending sign-in accepts. Throws `auth.invalid_mfa_token`. */
    methodsOf: async (token: string): Promise<readonly MfaMethod[]> =>
      secondFactor.methodsOf(pendingOf(token).userId),

    /**
     * The options for completing the pending sign-in with a passkey. Throws
     * `auth.invalid_mfa_token`, `second_factor.passkey_not_found`, `.passkeys_unavailable`.
     */
    async passkeyOptions(token: string): Promise<PasskeyRequestOptions> {
      const { userId, id } = pendingOf(token);
      return secondFactor.passkeyOptions(userId, id);
    },

    /** The response to a request that sent a one-time code. */
    codeSentResponse: toOtpRequired,

    claimsOf: toUserClaims,
  };

  /** The first half of a sign-in: from a verified identity to a session or a second factor. */
  async function begin<V extends Via>(
    verified: VerifiedSignIn,
    via: V,
  ): Promise<Outcome<Opened[V]>> {
    const { begun } = verified;
    const amr = [...verified.amr];
    const { user, isNew, linked } = await findOrCreateUser(verified);
    // Not awaited: the session's entry is written after this one, and that one is awaited.
    if (isNew) void record(user, verified, { action: 'user.created', details: { amr } });
    if (linked.length > 0) {
      const details = { kinds: linked.map(({ kind }) => kind) };
      await record(user, verified, { action: 'identity.linked', details });
    }
    await requireEnabled(user, verified, amr);
    const methods = isNew ? [] : await secondFactor.methodsOf(user.id);
    if (methods.length > 0) {
      const mfaToken = mfaTokens.issue({ userId: user.id, amr, begun });
      return { mfa: { mfaToken, methods, expiresIn: mfaLifetimeMs / 1000 } };
    }
    const session = await openFor(via, user, verified, { amr, acr: 'aal1', begun });
    return { user, isNew, session };
  }

  /** Also records people who may not sign up. */
  async function findOrCreateUser(verified: VerifiedSignIn) {
    const { identity, amr, address, requestId } = verified;
    try {
      return await users.signInAs(identity, verified);
    } catch (error) {
      if (error instanceof AppError && error.code === 'users.sign_up_closed')
        await audit.record({
          action: 'user.sign_up_refused',
          outcome: 'denied',
          reason: error.code,
          actor: { kind: 'anonymous' },
          address,
          requestId,
          details: { amr: [...amr] },
        });
      throw error;
    }
  }

  /** The second half of a sign-in: the second factor. */
  async function complete<V extends Via>(
    token: string,
    factor: MfaFactor,
    from: RequestOrigin,
    via: V,
  ): Promise<SignedIn & { session: Opened[V] }> {
    const { id, userId, ...pending } = pendingOf(token);
    const context = { by: 'pending', signInId: id } as const;
    const method = await secondFactor.verify(userId, factor, from, context);
    if (!(await mfaTokens.redeem({ id }))) throw authErrors.invalid_mfa_token();
    const user = await users.get(userId);
    const amr = [...new Set([...pending.amr, method, 'mfa'])];
    await requireEnabled(user, from, amr);
    // The time of the first factor counts: all sessions may have been ended since.
    const { begun } = pending;
    const session = await openFor(via, user, from, { amr, acr: 'aal2', begun });
    return { user, isNew: false, session };
  }

  function pendingOf(token: string) {
    const pending = mfaTokens.read(token);
    if (pending === undefined) throw authErrors.invalid_mfa_token();
    return pending;
  }

  /**
   * Signs in a user who lost all other factors, with a backup code alone (`aal1`). Throws the
   * errors of `completeAsBearer`.
   */
  async function withBackupCode(
    userId: string,
    code: string,
    from: RequestOrigin,
  ): Promise<{ user: User; response: TokenResponse }> {
    await secondFactor.verify(userId, { method: 'backup_code', code }, from, { by: 'stranger' });
    const user = await users.get(userId);
    const amr = ['backup_code'];
    await requireEnabled(user, from, amr);
    const proof = { amr, acr: 'aal1', begun: from.begun } as const;
    const session = await openFor('bearer', user, from, proof);
    return { user, response: toSignInResponse({ user, isNew: false, session }) };
  }

  /** Throws `auth.user_disabled`, `users.review_account`. */
  async function requireEnabled(user: User, from: RequestOrigin, amr: readonly string[]) {
    users.requireUsable(user);
    if (user.disabledAt === null) return;
    const details = { amr: [...amr] };
    await record(user, from, { action: 'session.created', outcome: 'denied', details });
    throw authErrors.user_disabled();
  }

  async function openFor<V extends Via>(
    via: V,
    user: User,
    from: RequestOrigin,
    proof: Pick<Proof, 'amr' | 'acr' | 'begun'>,
  ): Promise<Opened[V]> {
    const session = await open[via](user, { ...proof, client: from.client });
    const details = { amr: [...proof.amr] };
    await Promise.all([
      record(user, from, { action: 'session.created', details }),
      otp.reopenFor(user, from),
    ]);
    return session;
  }

  async function openBearer(user: User, proof: Proof): Promise<BearerSession> {
    const tokens = await sessions.openBearer(user, proof);
    return { kind: 'bearer', tokens, deviceToken: knownDevices.issue(user, tokens.sessionId) };
  }

  async function openCookie(user: User, proof: Proof): Promise<CookieSession> {
    const session = await sessions.openCookie(user, proof);
    return { kind: 'cookie', ...session, deviceToken: knownDevices.issue(user, session.sessionId) };
  }

  function record(
    { id }: User,
    from: RequestOrigin,
    entry: Pick<AuditEntry, 'action' | 'outcome' | 'details'>,
  ): Promise<void> {
    return audit.record({ ...userActor(id, from), target: { kind: 'user', id }, ...entry });
  }
}

export type SignIn = ReturnType<typeof createSignIn>;
