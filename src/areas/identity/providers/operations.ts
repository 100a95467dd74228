import type { Clock } from '../../../lib/clock.ts';
import { randomSecret } from '../../../lib/secrets/secrets.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { TokenResponse } from '../claims-schemas.ts';
import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import { callbackErrors } from './errors.ts';
import { flowCookie } from './flow-cookie.ts';
import { CMYKCallbackQuery, CMYKGoogleInitRequest, CMYKGoogleInitResponse } from './schemas.ts';
import type { Idp } from './service.ts';

export interface IdpContext {
  idp: Idp;
  clock: Clock;
  /** The public origin of the service. */
  baseOrigin: string;
}

export const startLimit = limited({ max: 60, seconds: 300, group: 'idp-start' });
export const callbackLimit = limited({ max: 60, seconds: 300, group: 'idp-callback' });

const operation = operationsOf<IdpContext>({ scope: 'public', tag: 'auth', allowsApps: true });

/** Sign-in at the identity provider for clients that hold tokens, native ones among them. */
export const bearerOperations = [
  operation({
    id: 'auth.cmyk_idp_initiate',
    path: 'POST /api/auth/cmyk/idp/initiate',
    summary: 'Start a sign-in with the identity provider (bearer tokens)',
    description:
      'In a browser, a cookie ties the sign-in to that browser. Native clients send ' +
      '`redirect_uri` and `code_challenge` (S256), and later `code_verifier`.',
    limit: startLimit,
    body: CMYKGoogleInitRequest,
    output: CMYKGoogleInitResponse,
    errors: ['auth.oauth_not_configured', 'auth.idp_unavailable'],
    async run({ idp, clock, baseOrigin }, input, { request, reply }) {
      const cookie = flowCookie(baseOrigin);
      const browser = cookie.read(request) ?? randomSecret();
      const { url, state, expiresIn } = await idp.initiate(
        input,
        browser,
        originOf(request, clock.now()),
      );
      if (input.redirect_uri === undefined) void reply.header('set-cookie', cookie.header(browser));
      return { authorization_url: url, state, expires_in: expiresIn, provider: 'idp' as const };
    },
  }),
  operation({
    id: 'auth.cmyk_idp_callback',
    path: 'GET /api/auth/cmyk/idp/callback',
    summary: 'Complete a sign-in with the identity provider (bearer tokens)',
    description:
      'Exchanges `code` and `state` from the provider for tokens. A `state` works ' +
      'once, within ten minutes, and only for the client that started the sign-in.',
    limit: callbackLimit,
    query: CMYKCallbackQuery,
    output: TokenResponse,
    errors: callbackErrors,
    route: { exposeHeadRoute: false },
    async run({ idp, clock, baseOrigin }, { code, state, iss, code_verifier: verifier }, call) {
      const browser = flowCookie(baseOrigin).read(call.request);
      return idp.finishAsBearer(
        { code, state, iss, verifier, error: undefined, browser },
        originOf(call.request, clock.now()),
      );
    },
  }),
];
