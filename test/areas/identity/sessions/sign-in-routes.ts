import { type Target, targetsOf } from '../../../contract/sweep/routes.ts';
import type { Answer, Headers, Sweep } from '../../../contract/sweep/sweep.ts';
import { inventory, tableContent } from '../../../support/abuse.ts';
import type { TestApp } from '../../../support/app.ts';

const sign = /^\/(?:api\/auth|auth|api\/cmyk\/auth|login|signin|account)(?:\/|$)/;
const tested: readonly string[] = ['GET', 'POST', 'DELETE'];

/** Returns the routes of signing in. Webhooks accept any body, and are tested elsewhere. */
export const signInTargets = ({ routes }: Sweep): Target[] =>
  targetsOf(routes.filter(({ url }) => sign.test(url) && !url.includes('/webhooks/'))).filter(
    ({ method }) => tested.includes(method),
  );

export const scopeOf = ({ route }: Target): string => route.config?.scope ?? '';
export const isOwn = (target: Target): boolean => ['signed-in', 'fresh'].includes(scopeOf(target));
export const isPage = ({ route: { url } }: Target): boolean =>
  /^\/(?:login|signin|account)|\/cmyk$|\/setup\//.test(url);
export const isUnsafe = ({ method }: Target): boolean => method !== 'GET';
export const readsBody = ({ route: { schema } }: Target): boolean => schema?.body !== undefined;

/** Sends JSON to a route; without a payload, an empty object where the route reads a body. */
export function sendTo(
  { ask }: Sweep,
  target: Target,
  headers: Headers,
  payload: string | Buffer | undefined = readsBody(target) ? '{}' : undefined,
): Promise<Answer> {
  const { method, url } = target;
  if (payload === undefined) return ask({ method, url, headers });
  return ask({ method, url, payload, headers: { 'content-type': 'application/json', ...headers } });
}

/** Counts users, sessions and messages, and reads the second factors and backup codes. */
export async function everything(app: TestApp): Promise<object> {
  const tables = ['totp_factors', 'backup_codes', 'passkeys'];
  const factors = await Promise.all(tables.map((table) => tableContent(app, table)));
  return { ...(await inventory(app)), factors };
}
