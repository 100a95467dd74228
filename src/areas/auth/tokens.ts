import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../lib/secrets/secrets.ts';

/** `session` is what the cookie holds; `access` and `refresh` are a bearer client's. */
export type TokenKind = 'session' | 'access' | 'refresh';

export interface Token {
  kind: TokenKind;
  /** UUID. */
  userId: string;
  /** UUID. */
  sessionId: string;
  /** How often the session's tokens have been replaced; 0 for a cookie. */
  generation: number;
  /** 32 bytes. */
  secret: Buffer;
}

const prefixes = { session: 'svcs_', access: 'svca_', refresh: 'svcr_' } as const;
const kinds = Object.entries(prefixes).map(([kind, prefix]) => ({
  kind: kind as TokenKind,
  prefix,
}));
const pattern = /^svc[sar]_[A-Za-z0-9_-]{91}$/;
const [idBytes, secretBytes] = [16, 32];

const uuidBytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The token as its bearer holds it: 96 characters, with a prefix that secret scanners can find. */
export function writeToken({ kind, userId, sessionId, generation, secret }: Token): string {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(generation);
  return (
    prefixes[kind] +
    Buffer.concat([uuidBytes(userId), uuidBytes(sessionId), counter, secret]).toString('base64url')
  );
}

/** What `text` says of itself; nothing of it is proved yet. Undefined when it is no token of this form. */
export function readToken(text: string): Token | undefined {
  const kind = kinds.find(({ prefix }) => text.startsWith(prefix))?.kind;
  if (kind === undefined || !pattern.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(5), 'base64url');
  const part = (start: number, length: number) => bytes.subarray(start, start + length);
  const token: Token = {
    kind,
    userId: uuidText(part(0, idBytes)),
    sessionId: uuidText(part(idBytes, idBytes)),
    generation: bytes.readUInt32BE(2 * idBytes),
    secret: Buffer.from(part(2 * idBytes + 4, secretBytes)),
  };
  // The last character has bits to spare: of four spellings only ours is the token.
  return writeToken(token) === text ? token : undefined;
}

/** A cookie's secret: random, kept as its hash. */
export const newSecret = (): Buffer => randomBytes(secretBytes);
export const secretHash = (secret: Buffer): string => sha256Hex(secret.toString('hex'));
/** Compares two hashes of cookies' secrets without telling by its duration where they differ. */
export const isSecret = (hash: string, known: string): boolean =>
  timingSafeEqual(Buffer.from(hash), Buffer.from(known.padEnd(64).slice(0, 64)));

/**
 * Makes the secrets of bearer tokens from the session's salt and a generation. Nothing of them has to be kept, the same
 * generation gives the same tokens again, and any older one is still known to be ours.
 */
export function createTokenSecrets(key: Buffer) {
  function of(kind: TokenKind, sessionId: string, generation: number, salt: string): Buffer {
    return createHmac('sha256', key).update(`${kind} ${sessionId} ${generation} ${salt}`).digest();
  }

  return {
    of,
    /** True when the token's secret is the one that belongs to it. */
    isOurs: ({ kind, sessionId, generation, secret }: Token, salt: string): boolean =>
      timingSafeEqual(secret, of(kind, sessionId, generation, salt)),
  };
}
