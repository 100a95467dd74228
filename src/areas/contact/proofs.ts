import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { Resources } from '../../platform/resources.ts';
import { contactErrors } from './errors.ts';
import { ContactChallenge } from './schemas.ts';

const challengeAlgorithm = 'PBKDF2/SHA-256';
/** Rounds of PBKDF2 for each attempt: with one key in 256 accepted, about a second on a phone. */
const challengeCost = 5000;
const challengeSeconds = 600;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));

/** A solved challenge: base64 of JSON, as ALTCHA's own widget sends it. */
const Payload = z.object({
  challenge: z.object({
    parameters: z.strictObject({
      algorithm: z.literal(challengeAlgorithm),
      nonce: hex(16),
      salt: hex(16),
      cost: z.literal(challengeCost),
      keyLength: z.literal(32),
      keyPrefix: z.literal('00'),
      expiresAt: z.int().positive(),
    }),
    signature: hex(32),
  }),
  solution: z.object({ counter: z.int().min(0).max(0xffffffff), derivedKey: hex(32) }),
});
type Payload = z.output<typeof Payload>;

/** A verified proof, which may have been used before. */
export interface SolvedProof {
  nonce: string;
  /** How long to remember that it was used, in seconds. */
  seconds: number;
}

/** Throws `contact.proof_invalid`. */
function parsePayload(text: string): Payload {
  try {
    return Payload.parse(JSON.parse(Buffer.from(text, 'base64').toString('utf8')));
  } catch (cause) {
    throw contactErrors.proof_invalid({ cause });
  }
}

/**
 * Proofs of work after ALTCHA, version 2. A challenge is signed and stored nowhere. Its nonce is
 * stored with the message that it is used for (`createContactLimits`), so that forged ones take no
 * memory.
 */
export function createProofs({ keys, clock }: Pick<Resources, 'keys' | 'clock'>) {
  const hmacSignatureSecret = keys('contact-challenge').toString('base64url');
  const seconds = () => Math.floor(clock.now() / 1000);

  return {
    challenge: async () =>
      ContactChallenge.parse(
        await createChallenge({
          algorithm: challengeAlgorithm,
          cost: challengeCost,
          deriveKey,
          expiresAt: seconds() + challengeSeconds,
          hmacSignatureSecret,
        }),
      ),

    /** Verifies a solution. Throws `contact.proof_invalid`, `contact.proof_expired`. */
    async verify(text: string): Promise<SolvedProof> {
      const { challenge, solution } = parsePayload(text);
      const { nonce, expiresAt } = challenge.parameters;
      const left = expiresAt - seconds();
      if (left < 0) throw contactErrors.proof_expired();
      const { verified, expired } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret,
      });
      if (expired) throw contactErrors.proof_expired();
      if (!verified) throw contactErrors.proof_invalid();
      // A minute longer than the challenge, for replicas whose clocks differ.
      return { nonce, seconds: left + 60 };
    },
  };
}
