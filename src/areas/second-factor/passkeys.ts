import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { codeErrors } from '../../platform/identity/code-errors.ts';
import type { Asker } from '../../platform/http/request-origin.ts';
import {
  AssertionCredential,
  AttestationCredential,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
} from '../../platform/identity/webauthn-schemas.ts';
import { secondFactorErrors } from './errors.ts';
import type { Note } from './notes.ts';
import type { Own, OwnFactors } from './own-factors.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import type { Passkey, PasskeyStore } from './passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';
import { PasskeyName } from './schemas.passkeys.ts';
import { algorithms, readAssertion, readAttestation } from './webauthn.ts';

/** What a person may know of an own passkey. */
export type PasskeyInfo = Pick<Passkey, 'id' | 'name' | 'createdAt' | 'lastUsedAt' | 'backedUp'>;

/** A session that changes passkeys. */
export interface Owner extends Own {
  id: string;
  user: { email: string | null; phone: string | null; name: string | null };
}

/**
 * `amr`: RFC 8176, whether the key can't leave its hardware. `reason`: why not, for the audit log.
 */
export type Checked = { isRight: true; amr: string } | { isRight: false; reason?: string };

/** What a passkey has shown of itself. */
export interface PasskeyUse {
  passkeyId: string;
  /** It can't leave the device that made it. */
  isDeviceBound: boolean;
  /** The authenticator has verified the person, by a finger or PIN. */
  isUserVerified: boolean;
}

export interface PasskeysDeps {
  store: PasskeyStore;
  challenges: PasskeyChallenges;
  own: OwnFactors;
  note: Note;
  clock: Clock;
  /** Undefined: the service has no host name, so there can be no passkeys. */
  relyingParty: RelyingParty | undefined;
}

/** How long a person may take, in ms; also how long a challenge is good for. */
export const passkeyPatienceMs = 5 * 60_000;
const most = 20;

/** What authenticators know the person by (WebAuthn §5.4.3): the bytes of the user's id. */
const handleOf = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

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

/** JSON text that fits the schema, or undefined. */
function readJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Passkeys (WebAuthn level 3) of people. */
export function createPasskeys({
  store,
  challenges,
  own,
  note,
  clock,
  relyingParty,
}: PasskeysDeps) {
  function requireRelyingParty(): RelyingParty {
    if (relyingParty === undefined) throw secondFactorErrors.passkeys_unavailable();
    return relyingParty;
  }

  async function refuse(userId: string, asker: Asker): Promise<never> {
    await note('second_factor.failed', userId, asker, 'passkey');
    throw codeErrors.invalid();
  }

  return {
    /** The only origin where they work; undefined when there can be none. */
    origin: relyingParty?.origin,

    /** Oldest first. */
    listOf: async (userId: string): Promise<PasskeyInfo[]> =>
      (await store.listOf(userId)).map(toInfo),

    /** What a browser's form carries. */
    attestationOf: (text: string): AttestationCredential | undefined =>
      readJson(AttestationCredential, text),
    assertionOf: (text: string): AssertionCredential | undefined =>
      readJson(AssertionCredential, text),
    nameOf: (text: string): string | undefined => PasskeyName.safeParse(text).data,

    /**
     * What a browser needs to make a passkey. Throws `second_factor.aal2_required`,
     * `.too_many_passkeys`, `.passkeys_unavailable`.
     */
    async creationOptions(session: Owner): Promise<PasskeyCreationOptions> {
      const { id, name } = requireRelyingParty();
      await own.requireOwn(session);
      const { userId, user } = session;
      const held = await store.listOf(userId);
      if (held.length >= most) throw secondFactorErrors.too_many_passkeys();
      const label = user.email ?? user.phone ?? userId;
      return {
        rp: { id, name },
        user: { id: handleOf(userId), name: label, displayName: user.name ?? label },
        challenge: await challenges.issue({ userId, sessionId: session.id }),
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        timeout: passkeyPatienceMs,
        excludeCredentials: held.map(descriptor),
        authenticatorSelection: {
          residentKey: 'preferred',
          requireResidentKey: false,
          userVerification: 'preferred',
        },
        attestation: 'none',
        extensions: { credProps: true },
      };
    },

    /**
     * Throws `otp.invalid` when it was not made for this session's challenge, and as
     * `creationOptions` does.
     */
    async enrol(
      session: Owner,
      credential: AttestationCredential,
      name: string,
      asker: Asker,
    ): Promise<PasskeyInfo> {
      const { userId, acr } = session;
      await own.requireOwn(session);
      const challenge = await challenges.take({ userId, sessionId: session.id });
      const made =
        challenge === undefined
          ? undefined
          : await readAttestation(credential, { challenge, relyingParty: requireRelyingParty() });
      if (made === undefined) return refuse(userId, asker);
      const passkey = { ...made, id: randomUUID(), name, createdAt: new Date(clock.now()) };
      const put = await store.put(userId, passkey, { most, onlyAsFirst: acr !== 'aal2' });
      if (put === 'full') throw secondFactorErrors.too_many_passkeys();
      if (put === 'not_first') throw secondFactorErrors.aal2_required();
      if (put === 'known') return refuse(userId, asker);
      await note('second_factor.enrolled', userId, asker, 'passkey');
      return toInfo({ ...passkey, lastUsedAt: null });
    },

    /** Throws `second_factor.aal2_required`, `.passkey_not_found`. */
    async remove(session: Own, id: string, asker: Asker): Promise<void> {
      await own.requireOwn(session);
      if (!(await store.remove(session.userId, id))) throw secondFactorErrors.passkey_not_found();
      await note('second_factor.removed', session.userId, asker, 'passkey');
    },

    /**
     * What a browser needs to complete a sign-in with a passkey. Throws
     * `second_factor.passkey_not_found`, `.passkeys_unavailable`.
     */
    async requestOptions(
      userId: string,
      signInId: string,
      userVerification: 'preferred' | 'required' = 'preferred',
    ): Promise<PasskeyRequestOptions> {
      const { id: rpId } = requireRelyingParty();
      const held = await store.listOf(userId);
      // Without a list any passkey could answer, whoever's it is.
      if (held.length === 0) throw secondFactorErrors.passkey_not_found();
      return {
        challenge: await challenges.issue({ signInId }),
        timeout: passkeyPatienceMs,
        rpId,
        allowCredentials: held.map(descriptor),
        userVerification,
      };
    },

    /**
     * Looks at what a passkey has signed for the sign-in. The challenge is used up, whatever comes
     * of it.
     */
    async check(
      userId: string,
      signInId: string,
      credential: AssertionCredential,
    ): Promise<Checked & Partial<PasskeyUse>> {
      const [challenge, held] = await Promise.all([
        challenges.take({ signInId }),
        store.listOf(userId),
      ]);
      const passkey = held.find(({ credentialId }) => credentialId === credential.id);
      const { userHandle } = credential.response;
      if (
        challenge === undefined ||
        passkey === undefined ||
        relyingParty === undefined ||
        (userHandle ?? handleOf(userId)) !== handleOf(userId)
      )
        return { isRight: false };
      const signed = await readAssertion(credential, passkey, { challenge, relyingParty });
      if (signed === undefined) return { isRight: false };
      const { userVerified, ...use } = signed;
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
  };
}

export type Passkeys = ReturnType<typeof createPasskeys>;
