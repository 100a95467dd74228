import { asAdmin } from '../../support/app.ts';
import type { Callers } from './callers.ts';
import { ownRules } from './invalid-input.ts';
import { nameOf, type Target, targetsOf } from './routes.ts';
import {
  type Answer,
  checkEach,
  type Findings,
  type Headers,
  inTurn,
  type Sweep,
} from './sweep.ts';

const form = 'application/x-www-form-urlencoded';
const types = [
  form,
  'text/plain',
  'text/csv',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/octet-stream',
  'nonsense',
  '',
  ';',
  undefined,
];

const readsForms = ({ route: { url } }: Target): boolean =>
  /^\/(?:login|signin|signup|account|status|share|demo|waitlist|contact|q)\b/.test(url) ||
  url === '/api/v1/contact' ||
  /\/setup\/|\/svc\/console|\/reports\/unsubscribe/.test(url);

const reads = (target: Target, type: string | undefined): boolean =>
  (type === form && readsForms(target)) ||
  (type === 'text/plain' && /^\/analytics\/(?:track|batch)/.test(target.route.url)) ||
  (type === 'text/csv' && /\/(?:import|qr-batches)$/.test(target.route.url));

const withBody = ({ routes }: Sweep): Target[] =>
  targetsOf(routes).filter(
    ({ method, route }) =>
      ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) && !ownRules.test(route.url),
  );

const send = (
  { ask }: Sweep,
  { method, url }: Target,
  type: string | undefined,
  credential: Headers,
): Promise<Answer> =>
  ask({
    method,
    url,
    payload: 'a=1',
    headers: { ...credential, ...(type === undefined ? {} : { 'content-type': type }) },
  });

const unsupported = 'request.unsupported_media_type';

/** Returns the error code of an answer; pages show none. */
const codeIn = ({ type, body }: Answer): string =>
  type === 'text/html' ? unsupported : (/"code":"([^"]+)"/.exec(body)?.[1] ?? 'no code');

/**
 * Sends every route that reads a body some of types that it does not read, with an admin key and as
 * a person. `checked` counts the refusals of callers who are authorized.
 */
export async function checkUnreadTypes(sweep: Sweep, { asPerson }: Callers): Promise<Findings> {
  let checked = 0;
  const targets = withBody(sweep).filter(({ route }) => route.schema?.body !== undefined);
  const faults = await checkEach(targets, async (target, at) => {
    const unread = types.filter((each) => !reads(target, each));
    const found: string[] = [];
    for (const credential of [asAdmin, await asPerson()]) {
      for (const type of inTurn(unread, at, 3)) {
        const answer = await send(sweep, target, type, credential);
        // The caller is not authorized, whatever the body. Pages redirect, such as to the sign-in.
        if ([401, 403, 303].includes(answer.status)) break;
        checked += 1;
        if (answer.status !== 415 || codeIn(answer) !== unsupported)
          found.push(`${nameOf(target)} ${type ?? 'no type'}: ${answer.status} ${codeIn(answer)}`);
      }
    }
    return found;
  });
  return { faults, checked };
}

/** Compares the status of every route that reads no body with and without one, of some types. */
export async function checkIgnoredBodies(sweep: Sweep): Promise<Findings> {
  const targets = withBody(sweep).filter(({ route }) => route.schema?.body === undefined);
  const faults = await checkEach(targets, async (target, at) => {
    const { method, url } = target;
    const without = await sweep.ask({ method, url, headers: asAdmin });
    return checkEach(inTurn(types, at, 3), async (type) => {
      const { status } = await send(sweep, target, type, asAdmin);
      return status === without.status
        ? []
        : [`${nameOf(target)} ${type ?? 'no type'}: ${status}, without a body ${without.status}`];
    });
  });
  return { faults, checked: targets.length };
}
