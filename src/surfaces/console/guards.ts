import type { FastifyInstance, FastifyRequest } from 'fastify';
import { consolePath } from '../../lib/site-paths.ts';
import { type Role, hasAnyRole } from '../../lib/access.ts';
import { type Problem, requestErrors } from '../../platform/errors/errors.ts';
import { asPages, leadScripts } from '../../platform/ui/page-scope.ts';
import type { Layout } from '../../platform/ui/pages.ts';
import { type Guard, refusing } from '../../platform/http/scopes.ts';
import { answerWith, scriptedPagePolicy } from '../../platform/http/security.ts';

/** Lets people with the role pass, and admins. Put it inside a scope that lets people pass only. */
export const withRole = (role: Role): Guard =>
  refusing({ errors: ['request.forbidden'] }, ({ principal }: FastifyRequest): void => {
    const held = principal?.kind === 'user' ? principal.roles : [];
    if (!held.includes('admin') && !held.includes(role))
      throw requestErrors.forbidden({ extra: { required_role: role } });
  });

const sentences = {
  'blackops.invalid_dpop_proof':
    'Your browser could not prove that it is this device. Check that its clock is right, load the page again, and repeat it.',
};

const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};

/** The page that somebody was on: the one that a form was sent from, as far as the browser says so. */
function pageOf({ method, url, headers: { referer = '' } }: FastifyRequest): string {
  if (method === 'GET' || method === 'HEAD') return url;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.pathname.startsWith(consolePath) === true
    ? from.pathname + from.search
    : consolePath;
}

/** Where a person signs in, or brings the device into order, and comes back from. */
function placeOf({ status, code }: Problem, request: FastifyRequest): string | undefined {
  const here = encodeURIComponent(pageOf(request));
  if (code === 'blackops.device_not_cleared') return `/account/devices?next=${here}`;
  return status === 401 && !code.includes('dpop')
    ? `/login?next=${here}${reasons[code] ?? ''}`
    : undefined;
}

export interface ConsoleScope {
  layout: Layout;
  contactEmail: string | undefined;
}

/**
 * Makes the routes of this scope pages of the console. Browsers are led to where a problem is solved or get a page that says it;
 * programs get the problem document.
 */
export function asConsole(app: FastifyInstance, { layout, contactEmail }: ConsoleScope): void {
  asPages(app, {
    layout,
    back: { href: consolePath, text: 'Go to the overview' },
    mayGoBack: hasAnyRole,
    contactEmail,
    placeOf,
    sentences,
    errorPages: 'for browsers',
  });
  answerWith(app, { 'content-security-policy': scriptedPagePolicy });
  leadScripts(app);
}
