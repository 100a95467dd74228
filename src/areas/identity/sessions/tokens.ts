import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';

/** `session` is the cookie's value; `access` and `refresh` belong to bearer clients. */
export type TokenKind = 'session' | 'access' | 'refresh';

export interface Token {
  kind: TokenKind;
  /** UUID. */
  userId: string;
  /** UUID. */
  sessionId: string;
  /** How many times the session's tokens have been rotated; 0 for a cookie. */
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
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A token of 96 characters, with a prefix that secret scanners recognise. */
export function writeToken({ kind, userId, sessionId, generation, secret }: Token): string {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(generation);
  return (
    prefixes[kind] +
    Buffer.concat([uuidBytes(userId), uuidBytes(sessionId), counter, secret]).toString('base64url')
  );
}

/** Parses a token without verifying it. Undefined when `text` is malformed. */
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
  // The last base64url character has two unused bits: only the canonical encoding is valid.
  return writeToken(token) === text ? token : undefined;
}

/** A cookie's secret: random, stored as its hash. */
export const newSecret = (): Buffer => randomBytes(secretBytes);
export const secretHash = (secret: Buffer): string => sha256Hex(secret.toString('hex'));
/** Compares two hashes of cookie secrets in constant time. */
export const isSecret = (hash: string, known: string): boolean =>
  timingSafeEqual(Buffer.from(hash), Buffer.from(known.padEnd(64).slice(0, 64)));

/**
 * Derives the secrets of bearer tokens from the session's salt and the generation. So no secret is
 * stored, a generation always gives the same tokens, and older ones can still be recognised.
 */
export function createTokenSecrets(key: Buffer) {
  function of(kind: TokenKind, sessionId: string, generation: number, salt: string): Buffer {
    return createHmac('sha256', key).update(`${kind} ${sessionId} ${generation} ${salt}`).digest();
  }

  return {
    of,
    /** True when the token carries the secret derived for it. */
    isOurs: ({ kind, sessionId, generation, secret }: Token, salt: string): boolean =>
      timingSafeEqual(secret, of(kind, sessionId, generation, salt)),
  };
}
