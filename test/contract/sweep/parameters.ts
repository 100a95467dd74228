import { z } from 'zod';
import { singleParameters } from '../../../src/platform/validation/parameters.ts';
import { asAdmin } from '../../support/app.ts';
import { methodsOf, type Target, targetsOf, urlOf } from './routes.ts';
import { type Answer, checkEach, type Findings, type Sweep } from './sweep.ts';

const namesOfSingles = ({ route: { schema } }: Target): readonly string[] =>
  schema?.querystring instanceof z.core.$ZodType ? singleParameters(schema.querystring) : [];

/** Returns true when the answer says that a parameter was repeated. */
const isRefused = ({ status, body }: Answer, expected: number): boolean =>
  status === expected &&
  (body.includes('may be given only once') || /^<!doctype html>/i.test(body));

/** Gives every single-valued query parameter twice. `checked` counts the refused ones. */
export async function checkRepeatedParameters({ routes, ask }: Sweep): Promise<Findings> {
  const targets = targetsOf(routes).filter(({ method }) => method !== 'HEAD');
  let checked = 0;
  const faults = await checkEach(targets, async (target) =>
    checkEach(namesOfSingles(target), async (name) => {
      const { method, route } = target;
      const url = `${target.url}?${name}=1&${name}=2`;
      const headers = { ...asAdmin, accept: 'application/json' };
      const answer = await ask({ method, url, headers });
      // Pages for people refuse API keys and redirect to the sign-in.
      if ([303, 401, 403].includes(answer.status)) return [];
      // A disabled development route looks like a path that does not exist.
      if (answer.status === 404 && url.includes('/dev/')) return [];
      checked += 1;
      return isRefused(answer, route.config?.invalidStatus ?? 422)
        ? []
        : [`${method} ${url}: ${answer.status} ${answer.body.slice(0, 200)}`];
    }),
  );
  return { faults, checked };
}

/** Returns the entry of a 422 for an unknown member at this place. */
export const unknownMember = (...loc: string[]): object => ({
  type: 'extra_forbidden',
  loc,
  msg: 'Extra inputs are not permitted',
  input: 'red',
});

/** The start of the body, before its request id. */
const unknownFilter = JSON.stringify({ detail: [unknownMember('query', 'colour')] }).slice(0, -1);

/** Asks every list that takes a cursor with a filter that it does not have. */
export async function checkUnknownFilters({ routes, ask }: Sweep): Promise<Findings> {
  const lists = routes.filter((route) => {
    const declared = route.schema?.querystring;
    const isList = declared instanceof z.ZodObject && 'cursor' in declared.shape;
    return isList && methodsOf(route).includes('GET') && !route.url.startsWith('/api/svc/');
  });
  const faults = await checkEach(lists, async (route) => {
    const answer = await ask({ url: `${urlOf(route)}?colour=red`, headers: asAdmin });
    const isExact = answer.status === 422 && answer.body.startsWith(unknownFilter);
    return isExact ? [] : [`${route.url}: ${answer.status} ${answer.body.slice(0, 200)}`];
  });
  return { faults, checked: lists.length };
}
