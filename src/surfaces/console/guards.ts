import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Problem, requestErrors } from '../../platform/errors/errors.ts';
import { type Guard, refusing } from '../../platform/http/scopes.ts';
import { answerWith, scriptedPagePolicy } from '../../platform/http/security.ts';
import type { Role } from '../../lib/access.ts';
import { hasAnyRole } from '../../lib/access.ts';
import { consolePath } from '../../lib/site-paths.ts';
import { configurePageScope, redirectScripts } from '../../platform/ui/page-scope.ts';
import { createLayout } from '../../platform/ui/pages.tsx';
import type { ConsoleContext } from './context.ts';
import { texts } from './texts/en.ts';

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
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.pathname.startsWith(consolePath) === true
    ? from.pathname + from.search
    : consolePath;
}

/** The page to sign in or to clear the device, which leads back to the current page. */
function remedyFor({ status, code }: Problem, request: FastifyRequest): string | undefined {
  const next = encodeURIComponent(currentPage(request));
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
  { appName, assets, contactEmail }: Pick<ConsoleContext, 'appName' | 'assets' | 'contactEmail'>,
): void {
  configurePageScope(app, {
    layout: createLayout(appName, assets),
    back: { href: consolePath, text: texts.errors.back },
    mayGoBack: hasAnyRole,
    contactEmail,
    placeOf: remedyFor,
    sentences,
    errorPages: 'for browsers',
  });
  answerWith(app, { 'content-security-policy': scriptedPagePolicy });
  redirectScripts(app);
}
