import type { AssertionCredential, AttestationCredential } from './webauthn-schemas.ts';
import type { NewPasskey, Passkey } from './store.ts';
import type { RelyingParty } from './relying-party.ts';

/** Accepted IANA COSE algorithms: ES256, EdDSA, RS256. */
export const algorithms = [-7, -8, -257];

interface Expected {
  challenge: string;
  relyingParty: RelyingParty;
}

type Registered = Pick<
  NewPasskey,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'deviceType' | 'backedUp' | 'aaguid'
>;

// Loaded at first use: the library is larger than the rest of sign-in.
const library = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
});
type Library = Awaited<ReturnType<typeof library>>;

/** The transports to show to browsers again: names in the form of the standard's (§5.8.4). */
const knownForm = /^[a-z-]{1,32}$/;
const transportsOf = ({ response }: AttestationCredential): string[] =>
  (response.transports ?? []).filter((name) => knownForm.test(name));

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(base64url, 'base64url'));

/** Whether the credential was used in a frame. Our pages are never framed. */
function isFramed({ decodeClientDataJSON }: Library, clientDataJSON: string): boolean {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  return crossOrigin === true || topOrigin !== undefined;
}

/** Whether an attestation has certificates. We request none: verifying them could fetch URLs. */
function hasCertificate({ decodeAttestationObject }: Library, attestationObject: string): boolean {
  const decoded = decodeAttestationObject(bytesOf(attestationObject));
  const isSelfSigned =
    decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  return decoded.get('fmt') !== 'none' && !isSelfSigned;
}

/** A syntactically valid ECDSA signature (r = s = 1) that no key produces. */
const dummySignature = Uint8Array.from(Buffer.from('3006020101020101', 'hex'));

/** Whether key type and curve match the algorithm (WebAuthn §5.8.5). */
function isConsistentKey(
  { cose, decodeCredentialPublicKey }: Library,
  publicKey: Uint8Array<ArrayBuffer>,
): boolean {
  const { COSEALG, COSECRV, COSEKEYS, isCOSEPublicKeyEC2, isCOSEPublicKeyOKP, isCOSEPublicKeyRSA } =
    cose;
  const key = decodeCredentialPublicKey(publicKey);
  const alg = key.get(COSEKEYS.alg);
  if (isCOSEPublicKeyEC2(key))
    return alg === COSEALG.ES256 && key.get(COSEKEYS.crv) === COSECRV.P256;
  if (isCOSEPublicKeyOKP(key))
    return alg === COSEALG.EdDSA && key.get(COSEKEYS.crv) === COSECRV.ED25519;
  return isCOSEPublicKeyRSA(key) && alg === COSEALG.RS256;
}

/**
 * Whether the key can verify signatures. Without attestation the library accepts any bytes as a
 * key, and the account would then require a passkey that can never be used. Throws for most invalid
 * keys.
 */
async function isUsable(
  lib: Library,
  credentialPublicKey: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (!isConsistentKey(lib, credentialPublicKey)) return false;
  await lib.verifySignature({
    signature: dummySignature,
    data: new Uint8Array(1),
    credentialPublicKey,
  });
  return true;
}

/** Maps errors to undefined: the library throws for invalid input, and no reason is disclosed. */
const orUndefined = <T>(work: () => Promise<T | undefined>): Promise<T | undefined> =>
  work().catch(() => undefined);

/** Verifies a new passkey (WebAuthn §7.1); undefined when it is invalid. */
export async function verifyAttestation(
  credential: AttestationCredential,
  { challenge, relyingParty }: Expected,
): Promise<Registered | undefined> {
  const lib = await library();
  const {
    id,
    rawId,
    type,
    response: { clientDataJSON, attestationObject },
  } = credential;
  const transports = transportsOf(credential);
  return orUndefined(async () => {
    if (isFramed(lib, clientDataJSON) || hasCertificate(lib, attestationObject)) return undefined;
    const { registrationInfo: registered } = await lib.verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, attestationObject, transports },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (registered?.credential.id !== id || !(await isUsable(lib, registered.credential.publicKey)))
      return undefined;
    const {
      credential: { publicKey, counter },
      credentialDeviceType: deviceType,
      credentialBackedUp: backedUp,
      aaguid,
    } = registered;
    return { credentialId: id, publicKey, counter, transports, deviceType, backedUp, aaguid };
  });
}

/** Verifies an assertion (WebAuthn §7.2), except its counter; undefined when it is invalid. */
export async function verifyAssertion(
  credential: AssertionCredential,
  passkey: Passkey,
  { challenge, relyingParty }: Expected,
): Promise<{ counter: number; backedUp: boolean; userVerified: boolean } | undefined> {
  const lib = await library();
  const {
    id,
    rawId,
    type,
    response: { clientDataJSON, authenticatorData, signature },
  } = credential;
  return orUndefined(async () => {
    if (isFramed(lib, clientDataJSON)) return undefined;
    const {
      verified,
      authenticationInfo: { newCounter, credentialDeviceType, credentialBackedUp, userVerified },
    } = await lib.verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: 0 },
    });
    return verified && credentialDeviceType === passkey.deviceType
      ? { counter: newCounter, backedUp: credentialBackedUp, userVerified }
      : undefined;
  });
}
