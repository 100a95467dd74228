import type { InjectOptions } from 'fastify';
import { type Challenge, type Solution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { asAdmin, type TestApp } from '../../support/app.ts';

export const asBrowser = { accept: 'text/html,application/xhtml+xml' };

/** A message with everything that is required. */
export const letter = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  message: 'Where can I download the invoice for May?',
};

/** The members of answers, each of which some answers have. */
interface Body {
  id: string;
  status: string;
  code: string;
  detail: { loc: string[] }[];
  data: { id: string }[];
  succeeded: number;
  retry_after: number;
  assignee_id: string | null;
  message: { status: string };
  replies: { delivery: string }[];
  notes: unknown[];
}

export interface Solved {
  challenge: Challenge;
  solution: Pick<Solution, 'counter' | 'derivedKey'>;
}

/** Requests to the contact form of an app, each from an address of its own unless one is given. */
export function contactClient(app: TestApp) {
  let hosts = 0;
  const freshAddress = (): string => {
    hosts += 1;
    return `198.${18 + (hosts >> 8)}.${hosts & 255}.7`;
  };
  async function request(options: InjectOptions) {
    const answer = await app.http.inject(options);
    const { statusCode, headers, body } = answer;
    return { statusCode, headers, body, json: () => answer.json<Body>() };
  }
  const challengeOf = async () =>
    (await app.http.inject('/api/v1/contact/challenge')).json<Challenge>();
  // Solving takes half a second, so solutions are used again once the app forgot them.
  const unused: Solved[] = [];
  const taken: Solved[] = [];
  async function solve(): Promise<Solved> {
    const challenge = await challengeOf();
    const solution = await solveChallenge({ challenge, deriveKey });
    if (solution === null) throw new Error('the challenge was not solved');
    const { counter, derivedKey } = solution;
    return { challenge, solution: { counter, derivedKey } };
  }
  const post = (
    url: string,
    payload: object | string,
    { address = freshAddress(), ...headers }: Record<string, string> = {},
  ) => request({ method: 'POST', url, payload, headers, remoteAddress: address });

  return {
    send: (body: object, options?: Record<string, string>) =>
      post('/api/v1/contact', body, options),

    submit: (body: Record<string, string>, options: Record<string, string> = asBrowser) =>
      post('/contact', new URLSearchParams(body).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        ...options,
      }),

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

    admin: (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      payload?: object,
      headers: Record<string, string> = asAdmin,
    ) =>
      request({
        method,
        url: `/api/v1/contact${path}`,
        headers,
        ...(payload === undefined ? {} : { payload }),
      }),
  };
}
