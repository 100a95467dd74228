import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const bytes = (buffer: Buffer) => Uint8Array.from(buffer);

/** Changes that a test makes to what an authenticator and its browser send. */
export interface Twist {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  counter?: number;
  /** The UP flag: the user is present. */
  isPresent?: boolean;
  /** The UV flag: the user was verified, by fingerprint or PIN. */
  isVerified?: boolean;
  crossOrigin?: boolean;
  /** Corrupts the signature. */
  isForged?: boolean;
  userHandle?: string;
  isBackedUp?: boolean;
  /** The attestation statement that comes with the new passkey. */
  statement?: 'none' | 'self' | 'certificate';
}

export interface Authenticator {
  credentialId: string;
  create: (options: Record<string, unknown>, twist?: Twist) => Record<string, unknown>;
  get: (options: Record<string, unknown>, twist?: Twist) => Record<string, unknown>;
}

export interface AuthenticatorOptions {
  origin: string;
  /** Whether its passkeys are synced to a cloud. */
  isBackedUp?: boolean;
  /** Whether the signature counter increases. Some authenticators always send 0. */
  countsUses?: boolean;
}

const present = 0x01;
const verified = 0x04;
const mayBeBackedUp = 0x08;
const isBackedUpNow = 0x10;
const hasCredential = 0x40;

function clientDataJSON(
  type: string,
  options: Record<string, unknown>,
  origin: string,
  twist: Twist,
): Buffer {
  const content = {
    type: twist.type ?? type,
    challenge: twist.challenge ?? options.challenge,
    origin: twist.origin ?? origin,
    crossOrigin: twist.crossOrigin ?? false,
  };
  return Buffer.from(JSON.stringify(content));
}

/** The public key as COSE (RFC 9052): EC2, ES256, P-256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const members: [number, number | Uint8Array<ArrayBuffer>][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(Buffer.from(x, 'base64url'))],
    [-3, bytes(Buffer.from(y, 'base64url'))],
  ];
  return Buffer.from(isoCBOR.encode(new Map(members)));
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

type Cbor = Parameters<typeof isoCBOR.encode>[0];

function attestation(
  data: Buffer,
  signature: Buffer,
  statement: Twist['statement'] = 'none',
): Cbor {
  const members: [string, Cbor][] = [
    ['alg', -7],
    ['sig', bytes(signature)],
    ['x5c', [bytes(randomBytes(64))]],
  ];
  const attestationStatement = new Map(
    { none: [], self: members.slice(0, 2), certificate: members }[statement],
  );
  return new Map<string, Cbor>([
    ['fmt', statement === 'none' ? 'none' : 'packed'],
    ['attStmt', attestationStatement],
    ['authData', bytes(data)],
  ]);
}

/**
 * Creates a software authenticator with one ES256 passkey, and its browser (WebAuthn Level 3).
 */
export function createAuthenticator({
  origin,
  isBackedUp = false,
  countsUses = true,
}: AuthenticatorOptions): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const credential = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'cross-platform',
  };
  let uses = countsUses ? 1 : 0;

  function authenticatorData(
    rpId: string,
    { counter = uses, isPresent = true, isVerified = true, isBackedUp: isKept = isBackedUp }: Twist,
    attested: Buffer = Buffer.alloc(0),
  ): Buffer {
    const flags =
      (isPresent ? present : 0) |
      (isVerified ? verified : 0) |
      (isKept ? mayBeBackedUp | isBackedUpNow : 0) |
      (attested.length > 0 ? hasCredential : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), uint32(counter), attested]);
  }

  function signatureOver(data: Buffer, clientData: Buffer, isForged = false): Buffer {
    const signature = createSign('sha256').update(data).update(sha256(clientData)).sign(privateKey);
    if (isForged)
      signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
    return signature;
  }

  return {
    credentialId: credential.id,

    create(options, twist = {}) {
      const rp = options.rp as { id: string };
      const clientData = clientDataJSON('webauthn.create', options, origin, twist);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey),
      ]);
      const data = authenticatorData(twist.rpId ?? rp.id, twist, attested);
      const attestationObject = base64url(
        isoCBOR.encode(attestation(data, signatureOver(data, clientData), twist.statement)),
      );
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData),
          attestationObject,
          transports: ['usb'],
          authenticatorData: base64url(data),
          publicKeyAlgorithm: -7,
        },
      };
    },

    get(options, twist = {}) {
      if (countsUses) uses += 1;
      const clientData = clientDataJSON('webauthn.get', options, origin, twist);
      const data = authenticatorData(twist.rpId ?? String(options.rpId), twist);
      const signature = signatureOver(data, clientData, twist.isForged);
      const response = {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      };
      return {
        ...credential,
        response: {
          ...response,
          ...(twist.userHandle === undefined ? {} : { userHandle: twist.userHandle }),
        },
      };
    },
  };
}
