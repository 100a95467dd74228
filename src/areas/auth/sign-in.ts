import type { Origin } from '../../platform/http/request-origin.ts';
import type { PasskeyRequestOptions } from '../../platform/identity/webauthn-schemas.ts';
import type { Audit } from '../audit/service.ts';
import type { MfaFactor, MfaMethod, SecondFactor } from '../second-factor/service.ts';
import type { Profile, Users } from '../users/service.ts';
import type { User, VerifiedIdentity } from '../users/store.ts';
import { authErrors } from './errors.ts';
import { mfaLifetimeMs, type MfaTokens } from './mfa-tokens.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Tokens } from './session-tokens.ts';
import type { Proof, Sessions } from './sessions.ts';
import { toOtpDue, toSignInResponse, toUserClaims } from './views.ts';

/** What somebody has just proved, and from where. */
export interface Proved extends Origin {
  identity: VerifiedIdentity;
  /**
   * Other identities that were proved in the same moment, such as the address a provider has
   * verified.
   */
  also?: readonly VerifiedIdentity[];
  profile?: Profile;
  /** Authentication methods (RFC 8176): `otp`, `sms`, `fed`, … */
  amr: readonly string[];
}

export interface SignedIn {
  user: User;
  isNew: boolean;
}

/** The first factor was right, and the person has a second one. There is no session yet. */
export interface MfaDue {
  mfaToken: string;
  methods: readonly MfaMethod[];
  /** Seconds. */
  expiresIn: number;
}

export interface BearerSession {
  kind: 'bearer';
  tokens: Tokens;
  /** By which the device is known from now on. */
  deviceToken: string;
}

export interface CookieSession {
  kind: 'cookie';
  cookie: string;
  sessionId: string;
  /** Unix ms. */
  expiresAt: number;
  /** By which the device is known from now on. */
  deviceToken: string;
}

/** Every path has to look at both: a second factor can't be forgotten by one of them. */
export type Outcome<Opened> = { mfa: MfaDue } | (SignedIn & { mfa?: undefined; session: Opened });

export interface SignInDeps {
  users: Users;
  sessions: Sessions;
  secondFactor: Pick<SecondFactor, 'methodsOf' | 'verify' | 'passkeyOptions'>;
  mfaTokens: MfaTokens;
  audit: Pick<Audit, 'record'>;
  /** Told of everybody who is in. */
  onSignedIn: (user: User, from: Origin) => Promise<void>;
  knownDevices: Pick<KnownDevices, 'issue'>;
}

type Open<Opened> = (user: User, proof: Proof) => Promise<Opened>;

/** The one way from a proof to a session: whatever was proved, and however the session is held. */
export function createSignIn({
  users,
  sessions,
  secondFactor,
  mfaTokens,
  audit,
  onSignedIn,
  knownDevices,
}: SignInDeps) {
  function note(
    action: 'session.created' | 'user.created',
    user: User,
    from: Origin,
    amr: readonly string[],
    outcome: 'success' | 'denied' = 'success',
  ): Promise<void> {
    const who = { kind: 'user', id: user.id } as const;
    return audit.record({
      action,
      outcome,
      actor: who,
      target: who,
      address: from.address,
      requestId: from.requestId,
      details: { amr: [...amr] },
    });
  }

  function noteLinks(
    { id }: User,
    { address, requestId }: Origin,
    linked: readonly VerifiedIdentity[],
  ): Promise<void> {
    const who = { kind: 'user', id } as const;
    return audit.record({
      action: 'identity.linked',
      actor: who,
      target: who,
      address,
      requestId,
      details: { kinds: linked.map(({ kind }) => kind) },
    });
  }

  async function refuseDisabled(user: User, from: Origin, amr: readonly string[]): Promise<void> {
    if (user.disabledAt === null) return;
    await note('session.created', user, from, amr, 'denied');
    throw authErrors.user_disabled();
  }

  const openBearer: Open<BearerSession> = async (user, proof) => {
    const tokens = await sessions.openBearer(user, proof);
    return { kind: 'bearer', tokens, deviceToken: knownDevices.issue(user, tokens.sessionId) };
  };
  const openCookie: Open<CookieSession> = async (user, proof) => {
    const session = await sessions.openCookie(user, proof);
    return { kind: 'cookie', ...session, deviceToken: knownDevices.issue(user, session.sessionId) };
  };

  async function opened<Opened>(
    open: Open<Opened>,
    user: User,
    from: Origin,
    proof: Pick<Proof, 'amr' | 'acr' | 'begun'>,
  ): Promise<Opened> {
    const session = await open(user, { ...proof, client: from.client });
    await Promise.all([note('session.created', user, from, proof.amr), onSignedIn(user, from)]);
    return session;
  }

  async function begin<Opened>(open: Open<Opened>, proved: Proved): Promise<Outcome<Opened>> {
    const { user, isNew, linked } = await users.signInAs(
      proved.identity,
      proved.profile,
      proved.also,
    );
    // Not waited for here: the entry of the session comes after it, and is.
    if (isNew) void note('user.created', user, proved, proved.amr);
    if (linked.length > 0) await noteLinks(user, proved, linked);
    await refuseDisabled(user, proved, proved.amr);
    const methods = isNew ? [] : await secondFactor.methodsOf(user.id);
    if (methods.length > 0) {
      const mfaToken = mfaTokens.issue({
        userId: user.id,
        amr: [...proved.amr],
        begun: proved.begun,
      });
      return { mfa: { mfaToken, methods, expiresIn: mfaLifetimeMs / 1000 } };
    }
    const session = await opened(open, user, proved, {
      amr: proved.amr,
      acr: 'aal1',
      begun: proved.begun,
    });
    return { user, isNew, session };
  }

  function pendingOf(token: string) {
    const pending = mfaTokens.read(token);
    if (pending === undefined) throw authErrors.invalid_mfa_token();
    return pending;
  }

  async function complete<Opened>(
    open: Open<Opened>,
    token: string,
    factor: MfaFactor,
    from: Origin,
  ): Promise<SignedIn & { session: Opened }> {
    const pending = pendingOf(token);
    const proof = await secondFactor.verify(pending.userId, factor, from, {
      by: 'pending',
      signInId: pending.id,
    });
    if (!(await mfaTokens.redeem(pending))) throw authErrors.invalid_mfa_token();
    const user = await users.get(pending.userId);
    const amr = [...new Set([...pending.amr, proof, 'mfa'])];
    await refuseDisabled(user, from, amr);
    // All sessions may have been ended since the first factor: its time counts.
    return {
      user,
      isNew: false,
      session: await opened(open, user, from, { amr, acr: 'aal2', begun: pending.begun }),
    };
  }

  return {
    /**
     * Opens a bearer client's session, unless a second factor is due. Throws `auth.user_disabled`,
     * `auth.revoked_meanwhile`.
     */
    asBearer: (proved: Proved): Promise<Outcome<BearerSession>> => begin(openBearer, proved),

    /**
     * Opens a browser's session, unless a second factor is due. Throws `auth.user_disabled`,
     * `auth.revoked_meanwhile`.
     */
    asCookie: (proved: Proved): Promise<Outcome<CookieSession>> => begin(openCookie, proved),

    /**
     * The second half of a sign-in. Throws `auth.invalid_mfa_token`, `otp.invalid`,
     * `otp.too_many_attempts`, `auth.user_disabled`.
     */
    completeAsBearer: (token: string, factor: MfaFactor, from: Origin) =>
      complete(openBearer, token, factor, from),
    completeAsCookie: (token: string, factor: MfaFactor, from: Origin) =>
      complete(openCookie, token, factor, from),

    /** What a bearer client is answered: tokens, or that a second factor is due. */
    response: toSignInResponse,

    /** What it is answered while the code that was sent has not come back. */
    codeSentResponse: toOtpDue,

    /** What clients are told of a person. */
    claimsOf: toUserClaims,

    /**
     * What the second factor of a sign-in that is under way may be. Throws
     * `auth.invalid_mfa_token`.
     */
    methodsOf: async (token: string): Promise<readonly MfaMethod[]> =>
      secondFactor.methodsOf(pendingOf(token).userId),

    /**
     * What a passkey has to sign to complete the sign-in. Throws `auth.invalid_mfa_token`,
     * `second_factor.passkey_not_found`, `.passkeys_unavailable`.
     */
    async passkeyOptions(token: string): Promise<PasskeyRequestOptions> {
      const { userId, id } = pendingOf(token);
      return secondFactor.passkeyOptions(userId, id);
    },

    /**
     * Lets somebody in who has lost every other way, with a backup code alone: `aal1`. Throws as
     * the others do.
     */
    async withBackupCode(
      userId: string,
      code: string,
      from: Origin,
    ): Promise<SignedIn & { session: BearerSession }> {
      await secondFactor.verify(userId, { method: 'backup_code', code }, from, { by: 'stranger' });
      const user = await users.get(userId);
      await refuseDisabled(user, from, ['backup_code']);
      return {
        user,
        isNew: false,
        session: await opened(openBearer, user, from, {
          amr: ['backup_code'],
          acr: 'aal1',
          begun: from.begun,
        }),
      };
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
