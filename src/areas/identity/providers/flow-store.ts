import type { Redis } from 'ioredis';
import { z } from 'zod';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';

const flow = z.object({
  /** What the flow ends with: a session cookie, or tokens for a bearer client. */
  ends: z.enum(['cookie', 'bearer']),
  nonce: z.string(),
  redirect_uri: z.string(),
  /** Where the browser goes afterwards: a path of this service. */
  next: z.string(),
  /** PKCE (RFC 7636). Undefined for native clients, which keep their own and send the challenge. */
  verifier: z.string().optional(),
  challenge: z.string(),
  /** SHA-256 of the browser's cookie; undefined for native clients, bound by their verifier. */
  browser: z.string().optional(),
});
export type Flow = z.output<typeof flow>;

const keyOf = (state: string) => `idp:flow:${sha256Hex(state)}`;

/** Sign-ins in progress at the provider, by `state`. */
export function createFlowStore(redis: Redis, lifetimeMs: number) {
  return {
    async put(state: string, record: Flow): Promise<void> {
      await redis.set(keyOf(state), JSON.stringify(record), 'PX', lifetimeMs);
    },

    /** Returns a flow and deletes it. */
    async take(state: string): Promise<Flow | undefined> {
      const text = await redis.getdel(keyOf(state));
      return text === null ? undefined : flow.parse(JSON.parse(text));
    },
  };
}
