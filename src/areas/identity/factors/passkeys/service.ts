import { randomUUID } from 'node:crypto';
import { minuteMs } from '../../../../lib/durations.ts';
import type { RequestSource } from '../../../../platform/http/requests/request-origin.ts';
import { codeErrors } from '../../code-errors.ts';
import type {
  AssertionCredential,
  AttestationCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from './webauthn-schemas.ts';
import type { FactorParts } from '../context.ts';
import type { SessionAssurance } from '../enrolled-factors.ts';
import { secondFactorErrors } from '../errors.ts';
import { createPasskeyChallenges } from './challenges.ts';
import { createPasskeyStore, type Passkey } from './store.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import { algorithms, verifyAssertion, verifyAttestation } from './webauthn.ts';

/** A passkey as its user sees it. */
export type PasskeyInfo = Pick<Passkey, 'id' | 'name' | 'createdAt' | 'lastUsedAt' | 'backedUp'>;

/** A session that changes passkeys. */
interface PasskeySession extends SessionAssurance {
  id: string;
  user: { email: string | null; phone: string | null; name: string | null };
}

/** `amr`: RFC 8176; for passkeys, whether the key is bound to hardware. `reason`: for auditors. */
export type FactorCheck = { isRight: true; amr: string } | { isRight: false; reason?: string };

/** What an assertion proves about the passkey. */
interface PasskeyUse {
  passkeyId: string;
  /** Whether the key can't leave the device that created it. */
  isDeviceBound: boolean;
  /** Whether the authenticator verified the user by biometrics or PIN. */
  isUserVerified: boolean;
}

/** The browser's timeout, and the lifetime of a challenge, in ms. */
const passkeyTimeoutMs = 5 * minuteMs;
const maxPasskeys = 20;

/** The user handle of WebAuthn §5.4.3: the bytes of the user's id. */
const userHandleOf = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

/** Whether an assertion may be the user's. Keys that store no handle send none, or an empty one. */
const isHandleOf = (userId: string, handle: string | null | undefined): boolean =>
  handle === null || handle === undefined || handle === '' || handle === userHandleOf(userId);

const descriptor = ({ credentialId, transports }: Passkey) => ({
  type: 'public-key' as const,
  id: credentialId,
  transports: [...transports],
});

const toInfo = ({ id, name, createdAt, lastUsedAt, backedUp }: Passkey): PasskeyInfo => ({
  id,
  name,
  createdAt,
  lastUsedAt,
  backedUp,
});

const toCreationOptions = (
  { id, name }: { id: string; name: string },
  { userId, user }: PasskeySession,
  challenge: string,
  existing: readonly Passkey[],
): PasskeyCreationOptions => {
  const label = user.email ?? user.phone ?? userId;
  return {
    rp: { id, name },
    user: { id: userHandleOf(userId), name: label, displayName: user.name ?? label },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: passkeyTimeoutMs,
    excludeCredentials: existing.map(descriptor),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
    extensions: { credProps: true },
  };
};

/** Users' passkeys (WebAuthn level 3). */
export function createPasskeys(parts: FactorParts) {
  const { brand, config, clock, db, redis, baseUrl, factors, record, onUse } = parts;
  const store = createPasskeyStore(db);
  const challenges = createPasskeyChallenges(redis, passkeyTimeoutMs);
  // Undefined: the service has no host name, so passkeys are unavailable.
  const relyingParty = relyingPartyOf(baseUrl, config.APP_ORIGINS);
  return {
    /**
     * The options for creating a passkey in a browser. Throws `second_factor.aal2_required`,
     * `.too_many_passkeys`, `.passkeys_unavailable`.
     */
    async creationOptions(session: PasskeySession): Promise<PasskeyCreationOptions> {
      await factors.requireSecondFactor(session);
      const party = requireRelyingParty();
      const { userId, id: sessionId } = session;
      const existing = await store.listOf(userId);
      if (existing.length >= maxPasskeys) throw secondFactorErrors.too_many_passkeys();
      const challenge = await challenges.issue({ userId, sessionId });
      const named = { id: party.id, name: brand().name };
      return toCreationOptions(named, session, challenge, existing);
    },

    /** Throws the errors of `creationOptions`, and `otp.invalid` for an invalid credential. */
    async enrol(
      session: PasskeySession,
      credential: AttestationCredential,
      name: string,
      requestSource: RequestSource,
    ): Promise<PasskeyInfo> {
      const { userId, acr } = session;
      await factors.requireSecondFactor(session);
      const challenge = await challenges.take({ userId, sessionId: session.id });
      if (challenge === undefined) return refuse(userId, requestSource);
      const registered = await verifyAttestation(credential, {
        challenge,
        relyingParty: requireRelyingParty(),
      });
      if (registered === undefined) return refuse(userId, requestSource);
      const passkey = { ...registered, id: randomUUID(), name, createdAt: new Date(clock.now()) };
      const limits = { max: maxPasskeys, onlyAsFirst: acr !== 'aal2' };
      const outcome = await store.add(userId, passkey, limits);
      if (outcome === 'full') throw secondFactorErrors.too_many_passkeys();
      if (outcome === 'not_first') throw secondFactorErrors.aal2_required();
      if (outcome === 'known') return refuse(userId, requestSource);
      await record('second_factor.enrolled', userId, requestSource, 'passkey');
      await onUse(userId, requestSource);
      return toInfo({ ...passkey, lastUsedAt: null });
    },

    /**
     * The options for signing in with a passkey. Throws `second_factor.passkey_not_found`,
     * `.passkeys_unavailable`.
     */
    async requestOptions(
      userId: string,
      signInId: string,
      userVerification: 'preferred' | 'required' = 'preferred',
    ): Promise<PasskeyRequestOptions> {
      const { id: rpId } = requireRelyingParty();
      const existing = await store.listOf(userId);
      // With an empty list the browser would offer any passkey, also one of another user.
      if (existing.length === 0) throw secondFactorErrors.passkey_not_found();
      return {
        challenge: await challenges.issue({ signInId }),
        timeout: passkeyTimeoutMs,
        rpId,
        allowCredentials: existing.map(descriptor),
        userVerification,
      };
    },

    /** Checks an assertion for the sign-in. Uses the challenge up, whatever the result. */
    async check(
      userId: string,
      signInId: string,
      credential: AssertionCredential,
    ): Promise<FactorCheck & Partial<PasskeyUse>> {
      const [challenge, existing] = await Promise.all([
        challenges.take({ signInId }),
        store.listOf(userId),
      ]);
      const passkey = existing.find(({ credentialId }) => credentialId === credential.id);
      const { userHandle } = credential.response;
      if (
        challenge === undefined ||
        passkey === undefined ||
        relyingParty === undefined ||
        !isHandleOf(userId, userHandle)
      )
        return { isRight: false };
      const verified = await verifyAssertion(credential, passkey, { challenge, relyingParty });
      if (verified === undefined) return { isRight: false };
      const { userVerified, ...use } = verified;
      const isNewer = await store.use(passkey.id, { ...use, at: new Date(clock.now()) });
      if (!isNewer) return { isRight: false, reason: 'second_factor.counter_regression' };
      return {
        isRight: true,
        amr: use.backedUp ? 'swk' : 'hwk',
        passkeyId: passkey.id,
        isDeviceBound: passkey.deviceType === 'singleDevice' && !use.backedUp,
        isUserVerified: userVerified,
      };
    },

    /** The only origin where they work; undefined when they are unavailable. */
    origin: relyingParty?.origin,

    /** Oldest first. */
    listOf: async (userId: string): Promise<PasskeyInfo[]> =>
      (await store.listOf(userId)).map(toInfo),

    /** Throws `second_factor.aal2_required`, `.passkey_not_found`. */
    async remove(
      session: SessionAssurance,
      id: string,
      requestSource: RequestSource,
    ): Promise<void> {
      await factors.requireSecondFactor(session);
      if (!(await store.remove(session.userId, id))) throw secondFactorErrors.passkey_not_found();
      await record('second_factor.removed', session.userId, requestSource, 'passkey');
    },
  };

  function requireRelyingParty(): RelyingParty {
    if (relyingParty === undefined) throw secondFactorErrors.passkeys_unavailable();
    return relyingParty;
  }

  async function refuse(userId: string, requestSource: RequestSource): Promise<never> {
    await record('second_factor.failed', userId, requestSource, 'passkey');
    throw codeErrors.invalid();
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>;
