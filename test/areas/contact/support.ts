import { type Challenge, type Solution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { type RequestOptions, TestClient } from '../../support/client.ts';

/** A message with everything that is required. */
export const letter = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  message: 'Where can I download the invoice for May?',
};

interface Sent {
  id: string;
  status: string;
}

export interface Solved {
  challenge: Challenge;
  solution: Pick<Solution, 'counter' | 'derivedKey'>;
}

/**
 * Requests to the contact form of an app, each from an address of its own unless one is given.
 * `admin` sends requests of an admin.
 */
export function contactClient(app: TestApp) {
  const client = new TestClient(app);
  let hosts = 0;
  const freshAddress = (): string => {
    hosts += 1;
    return `198.${18 + (hosts >> 8)}.${hosts & 255}.7`;
  };
  // Solving takes half a second, so solutions are used again once the app forgot them.
  const unused: Solved[] = [];
  const taken: Solved[] = [];
  async function solve(): Promise<Solved> {
    const { body: challenge } = await client.get<Challenge>('/api/v1/contact/challenge');
    const solution = await solveChallenge({ challenge, deriveKey });
    if (solution === null) throw new Error('the challenge was not solved');
    const { counter, derivedKey } = solution;
    return { challenge, solution: { counter, derivedKey } };
  }

  return {
    client,
    admin: client.as(asAdmin).at('/api/v1/contact'),

    send: (body: object, options: RequestOptions = {}) =>
      client.post<Sent>('/api/v1/contact', body, { from: freshAddress(), ...options }),

    submit: (body: Record<string, string>, options: RequestOptions = {}) =>
      client.form('/contact', body, { from: freshAddress(), ...options }),

    /**
     * Returns the solution of a challenge that was not used since `reset`. `change` may alter it
     * first.
     */
    async solution(change: (solved: Solved) => void = () => undefined): Promise<string> {
      const solved = unused.pop() ?? (await solve());
      taken.push(solved);
      const payload = structuredClone(solved);
      change(payload);
      return Buffer.from(JSON.stringify(payload)).toString('base64');
    },

    rows: () => app.stores.db.selectFrom('contact_messages').selectAll().orderBy('id').execute(),

    /** Names of the keys in Redis. */
    keys: (kind: 'nonce' | 'count' | 'notice') => app.services.redis.keys(`{contact}:${kind}*`),

    /** Forgets messages, counters and used proofs. */
    async reset(): Promise<void> {
      await app.stores.db.deleteFrom('contact_messages').execute();
      const keys = await app.services.redis.keys('{contact}:*');
      if (keys.length > 0) await app.services.redis.del(...keys);
      unused.push(...taken.splice(0));
    },
  };
}

export type ContactClient = ReturnType<typeof contactClient>;
