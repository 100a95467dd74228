import type {
  AssertionCredential,
  AttestationCredential,
} from '../../platform/identity/webauthn-schemas.ts';
import type { NewPasskey, Passkey } from './passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';

/** What is asked of passkeys (IANA COSE algorithms): ES256, EdDSA, RS256. */
export const algorithms = [-7, -8, -257];

interface Expected {
  challenge: string;
  relyingParty: RelyingParty;
}

type Made = Pick<
  NewPasskey,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'deviceType' | 'backedUp' | 'aaguid'
>;

// Loaded when the first passkey comes: the library is larger than all else of signing in.
const library = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
});
type Library = Awaited<ReturnType<typeof library>>;

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(base64url, 'base64url'));

/** Our pages are in no frame: what was signed inside one is not for us. */
function isFramed({ decodeClientDataJSON }: Library, clientDataJSON: string): boolean {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  return crossOrigin === true || topOrigin !== undefined;
}

/**
 * Certificates were not asked for. Looking at them may mean to load what they name, from any
 * address.
 */
function isCertified({ decodeAttestationObject }: Library, attestationObject: string): boolean {
  const decoded = decodeAttestationObject(bytesOf(attestationObject));
  const isSelfSigned =
    decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  return decoded.get('fmt') !== 'none' && !isSelfSigned;
}

/** An ECDSA signature of the numbers 1 and 1, which is nobody's. */
const noSignature = Uint8Array.from(Buffer.from('3006020101020101', 'hex'));

/** Each algorithm has its type of key and its curve (WebAuthn §5.8.5). */
function isOfOneKind(
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
 * Whether signatures can be verified by the key. Where nothing vouches for it the library takes
 * whatever stands in its place, and the account would ask for a passkey that can never be used.
 * Throws for most of what is no key.
 */
async function isUsable(
  lib: Library,
  credentialPublicKey: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (!isOfOneKind(lib, credentialPublicKey)) return false;
  await lib.verifySignature({
    signature: noSignature,
    data: new Uint8Array(1),
    credentialPublicKey,
  });
  return true;
}

/** The library throws for everything that is wrong; nobody is told what it was. */
const orUndefined = <T>(work: () => Promise<T | undefined>): Promise<T | undefined> =>
  work().catch(() => undefined);

/** The passkey that was made for `challenge` (WebAuthn §7.1), or undefined. */
export async function readAttestation(
  credential: AttestationCredential,
  { challenge, relyingParty }: Expected,
): Promise<Made | undefined> {
  const lib = await library();
  const {
    id,
    rawId,
    type,
    response: { clientDataJSON, attestationObject, transports = [] },
  } = credential;
  return orUndefined(async () => {
    if (isFramed(lib, clientDataJSON) || isCertified(lib, attestationObject)) return undefined;
    const { registrationInfo: made } = await lib.verifyRegistrationResponse({
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
    if (made?.credential.id !== id || !(await isUsable(lib, made.credential.publicKey)))
      return undefined;
    const {
      credential: { publicKey, counter },
      credentialDeviceType: deviceType,
      credentialBackedUp: backedUp,
      aaguid,
    } = made;
    return { credentialId: id, publicKey, counter, transports, deviceType, backedUp, aaguid };
  });
}

/**
 * What the passkey has signed for `challenge` (WebAuthn §7.2), or undefined. Whether the counter
 * has risen is for the store to say.
 */
export async function readAssertion(
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
