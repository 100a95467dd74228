import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Problem, requestErrors } from '../../platform/errors/errors.ts';
import { type Guard, refusing } from '../../platform/http/scopes.ts';
import { consoleFreshMs } from '../../platform/identity/freshness.ts';
import { changeResponseHeaders, scriptedPagePolicy } from '../../platform/http/security.ts';
import type { Role } from '../../lib/access.ts';
import { hasAnyRole } from '../../lib/access.ts';
import { consolePath } from '../../lib/site-paths.ts';
import { configurePageScope, redirectScripts } from '../../platform/ui/page-scope.ts';
import { createLayout } from '../../platform/ui/pages.tsx';
import type { ConsoleContext } from './context.ts';
import type { SavedForm, SavedForms } from './saved-forms.ts';
import { texts } from './texts/en.ts';
import { parseUrl } from '../../lib/net/parse-url.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The form that a page shows as it was filled in before the user had to sign in again. */
    savedForm: SavedForm | undefined;
  }
}

/** Admits users with the role, and admins. For scopes that admit users only. */
export const withRole = (role: Role): Guard =>
  refusing({ errors: ['request.forbidden'] }, ({ principal }: FastifyRequest): void => {
    const userRoles = principal?.kind === 'user' ? principal.roles : [];
    if (!userRoles.includes('admin') && !userRoles.includes(role))
      throw requestErrors.forbidden({ extra: { required_role: role } });
  });

const sentences = {
  'blackops.invalid_dpop_proof': texts.errors.deviceNotProven,
};

const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};

/** The page to return to; for forms the page that they were sent from (the referrer). */
function currentPage({ method, url, headers: { referer = '' } }: FastifyRequest): string {
  if (method === 'GET' || method === 'HEAD') return url;
  const from = parseUrl(referer);
  return from?.pathname.startsWith(consolePath) === true
    ? from.pathname + from.search
    : consolePath;
}

/** The current page, which then shows the form of the request as it was filled in. */
async function pageWithForm(request: FastifyRequest, savedForms: SavedForms): Promise<string> {
  const page = currentPage(request);
  const { method, body, principal } = request;
  if (method !== 'POST' || principal === undefined) return page;
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return page;
  const id = await savedForms.keep(principal.id, request.url.split('?', 1).join(), body);
  if (id === undefined) return page;
  const url = new URL(page, 'http://localhost');
  url.searchParams.set('form', id);
  return url.pathname + url.search;
}

/** The page to sign in or to clear the device, which leads back to the current page. */
async function remedyFor(
  { status, code }: Problem,
  request: FastifyRequest,
  savedForms: SavedForms,
): Promise<string | undefined> {
  const isStale = code in reasons;
  const page = isStale ? await pageWithForm(request, savedForms) : currentPage(request);
  const next = encodeURIComponent(page);
  if (code === 'blackops.device_not_cleared') return `/account/devices?next=${next}`;
  return status === 401 && !code.includes('dpop')
    ? `/login?next=${next}${reasons[code] ?? ''}`
    : undefined;
}

/**
 * Configures the routes of a scope as pages of the console. Browsers are redirected to where they
 * can solve a problem, or get a page that explains it; programs get the problem document.
 */
export function configurePages(
  app: FastifyInstance,
  { brand, assets, contactEmail }: Pick<ConsoleContext, 'brand' | 'assets' | 'contactEmail'>,
  savedForms: SavedForms,
): void {
  configurePageScope(app, {
    layout: createLayout(brand, assets),
    back: { href: consolePath, text: texts.errors.back },
    mayGoBack: hasAnyRole,
    contactEmail,
    placeOf: (problem, request) => remedyFor(problem, request, savedForms),
    sentences,
    errorPages: 'for browsers',
  });
  changeResponseHeaders(app, { 'content-security-policy': scriptedPagePolicy });
  redirectScripts(app);
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, freshFor: consoleFreshMs };
  });
  app.decorateRequest('savedForm', undefined);
  app.addHook('preHandler', async (request) => {
    const { method, url, principal } = request;
    const id = new URLSearchParams(url.split('?')[1]).get('form');
    if (method === 'GET' && id !== null && principal !== undefined)
      request.savedForm = await savedForms.find(principal.id, id);
  });
}
