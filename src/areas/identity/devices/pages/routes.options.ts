import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Problem } from '../../../../platform/errors/errors.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { configurePageScope, redirectScripts } from '../../../../platform/ui/page-scope.ts';
import type { DevicesContext } from '../compose.ts';
import { deviceLimits } from '../limits.ts';
import { texts } from '../texts/en.ts';

export const tags = ['pages'];
export const devicesPath = '/account/devices';
export const requestsPath = '/account/devices/requests';

/** The route options that all forms of these pages share. */
export const formOptions = <Body extends z.ZodType>(
  operationId: string,
  summary: string,
  body: Body,
) => ({
  bodyLimit: 16 * 1024,
  config: deviceLimits.change,
  schema: { operationId, summary, tags, hide: true, body },
});

const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'blackops.aal2_required': '&reason=second_factor',
};
const { problems } = texts;
const sentences = {
  'blackops.invalid_dpop_proof': problems.proof,
  'blackops.not_this_device': problems.notThisDevice,
  'blackops.too_many_requests': problems.tooManyRequests,
  'blackops.device_denied': problems.denied,
  'blackops.device_suspended': problems.suspended,
  'blackops.already_decided': problems.decided,
  'blackops.own_request': problems.ownRequest,
};

/**
 * Returns where to redirect for a problem: the sign-in or the device page, with the way back as
 * `next`. After a form that is `home`.
 */
function placeOf(home: string) {
  return ({ status, code }: Problem, { method, url }: FastifyRequest): string | undefined => {
    const here = method === 'GET' || method === 'HEAD' ? url : home;
    if (code === 'blackops.device_not_cleared')
      return `${devicesPath}?next=${encodeURIComponent(here)}`;
    if (status !== 401 || code.includes('dpop')) return undefined;
    const next = here.includes('?') ? encodeURIComponent(here) : here;
    return `/login?next=${next}${reasons[code] ?? ''}`;
  };
}

/** Sets up a scope of device pages: layout, error sentences, and redirects for problems. */
export function configureDevicePages(
  app: ZodApp,
  { layout, contactEmail }: DevicesContext,
  home: string,
  back: string,
): void {
  configurePageScope(app, {
    layout,
    contactEmail,
    back: { href: home, text: back },
    placeOf: placeOf(home),
    sentences,
  });
  redirectScripts(app);
}

/** Redirects to the device page, which confirms the action `name`. */
export const redirectDone = (reply: FastifyReply, name: string, next?: string): FastifyReply =>
  reply.redirect(
    `${devicesPath}?done=${name}${next === undefined ? '' : `&next=${encodeURIComponent(next)}`}`,
    303,
  );
