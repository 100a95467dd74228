import { asAdmin, type TestApp } from '../../support/app.ts';
import { nameOf, type Target } from './routes.ts';
import type { Answer, Headers, Request, Sweep } from './sweep.ts';

/** Signs in a user without a role. Returns the headers of their requests. */
async function signInPerson(app: TestApp, begun: number): Promise<Headers> {
  const email = 'refused@example.com';
  const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
  const proof = { amr: ['otp'], acr: 'aal2' as const, begun, client: 'A test' };
  const { accessToken } = await app.services.sessions.openBearer(user, proof);
  return { authorization: `Bearer ${accessToken}` };
}

export interface Callers {
  /** Returns the headers of a signed-in user without a role. */
  asPerson: () => Promise<Headers>;
  /** Asks with the admin key, or as a person where keys are refused. */
  askAuthorized: (target: Target, request: Omit<Request, 'method'>) => Promise<Answer>;
}

/** `now` is the time at which the person signs in, Unix ms. */
export function createCallers({ app, ask }: Sweep, now: number): Callers {
  const refusingKeys = new Set<string>();
  let person: Promise<Headers> | undefined;
  const asPerson = (): Promise<Headers> => (person ??= signInPerson(app, now));
  return {
    asPerson,
    async askAuthorized(target, request) {
      const { method } = target;
      if (!refusingKeys.has(nameOf(target))) {
        const headers = { ...asAdmin, ...request.headers };
        const answer = await ask({ ...request, method, headers });
        if (![401, 303].includes(answer.status)) return answer;
        refusingKeys.add(nameOf(target));
      }
      return ask({ ...request, method, headers: { ...(await asPerson()), ...request.headers } });
    },
  };
}
