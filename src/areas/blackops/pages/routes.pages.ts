import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Problem } from '../../../platform/errors/errors.ts';
import { allowScript, asPages, leadScripts, leadsOn } from '../../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../../platform/ui/pages.ts';
import { disconnectSignal } from '../../../platform/http/requester.ts';
import { limit } from '../../../platform/http/rate-limit.ts';
import type { Guards } from '../../auth/guards.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { Passkeys } from '../../second-factor/passkeys.ts';
import type { SecondFactor } from '../../second-factor/service.ts';
import type { DeviceCookie } from '../recognition/device-cookie.ts';
import { devicesPage, type FormError } from './device-pages.ts';
import { deviceScript, deviceScriptPath } from './device-script.ts';
import type { DeviceGuards } from '../guards.ts';
import { createDevicePageActions } from './page-flow.ts';
import {
  ApproveForm,
  AskForm,
  DenyForm,
  DeviceForm,
  DevicesQuery,
  HtmlPage,
  RenameForm,
  RequestParams,
  RequestsQuery,
  RestoreForm,
} from './page-schemas.ts';
import type { RequestSignals } from '../recognition/request-context.ts';
import { requestsPage, type DecisionError } from './request-pages.ts';
import type { Devices } from '../service.ts';

export interface DevicePageRoutesOptions {
  devices: Devices;
  deviceSignals: RequestSignals;
  deviceCookie: DeviceCookie;
  deviceGuards: DeviceGuards;
  guards: Pick<Guards, 'sessionOf' | 'requireFresh' | 'clearedSessionCookies'>;
  sessions: Pick<Sessions, 'end'>;
  secondFactor: Pick<SecondFactor, 'statusOf'>;
  passkeys: Pick<Passkeys, 'origin'>;
  layout: Layout;
  /** Whom to ask for a role. */
  contactEmail: string | undefined;
  clock: Clock;
  /** The public origin of the service. */
  baseOrigin: string;
}

type Routes = Parameters<FastifyPluginAsyncZod<DevicePageRoutesOptions>>[0];

const tags = ['pages'];
const oneYear = 31_536_000;
const bodyLimit = 16 * 1024;
const limits = {
  look: { rateLimit: limit({ max: 120, seconds: 60, group: 'devices' }) },
  change: { rateLimit: limit({ max: 30, seconds: 300, group: 'device-changes' }) },
  decide: { rateLimit: limit({ max: 120, seconds: 60, group: 'device-admin' }) },
};
const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'blackops.aal2_required': '&reason=second_factor',
};
const sentences = {
  'blackops.invalid_dpop_proof':
    'Your browser could not prove that it is this device. Check that its clock is right, load the page again, and repeat it.',
  'blackops.not_this_device':
    'A suspended device is restored from the device itself, with its key, or by an admin. Without its key, remove it and ask again.',
  'blackops.too_many_requests':
    'You have asked for clearance too often. Wait, or remove devices that wait for a decision.',
};

/**
 * Whoever is not signed in, or not well enough, is asked to; whoever needs a cleared device is
 * shown how to get there.
 */
function placeOf(home: string) {
  return ({ status, code }: Problem, { method, url }: FastifyRequest): string | undefined => {
    const here = method === 'GET' || method === 'HEAD' ? url : home;
    if (code === 'blackops.device_not_cleared')
      return `/account/devices?next=${encodeURIComponent(here)}`;
    if (status !== 401 || code.includes('dpop')) return undefined;
    return `/login?next=${here.includes('?') ? encodeURIComponent(here) : here}${reasons[code] ?? ''}`;
  };
}

/** Makes the scope pages of devices, which lead away from problems to where they are solved. */
function asDevicePages(
  app: Routes,
  { layout, contactEmail }: DevicePageRoutesOptions,
  home: string,
  back: string,
): void {
  asPages(app, {
    layout,
    contactEmail,
    back: { href: home, text: back },
    placeOf: placeOf(home),
    sentences,
  });
  leadScripts(app);
}

const withQuery = (path: string, values: Readonly<Record<string, string | undefined>>): string =>
  `${path}?${Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join('&')}`;

const done = (reply: FastifyReply, name: string, next?: string): FastifyReply =>
  reply.redirect(withQuery('/account/devices', { done: name, next }), 303);

function flowOf({ devices, secondFactor, passkeys, baseOrigin, clock }: DevicePageRoutesOptions) {
  return createDevicePageActions({ devices, secondFactor, passkeys, baseOrigin, clock });
}

function ownForms(app: Routes, options: DevicePageRoutesOptions): void {
  const { devices, deviceSignals, deviceCookie, guards } = options;
  const flow = flowOf(options);
  const withCookie = (reply: FastifyReply, value: string | undefined) =>
    value === undefined ? reply : reply.header('set-cookie', deviceCookie.header(value));

  app.post(
    '/ask',
    {
      bodyLimit,
      config: limits.change,
      schema: {
        operationId: 'devicePages.ask',
        summary: 'Form: ask for clearance of this device',
        tags,
        hide: true,
        body: AskForm,
      },
    },
    async (request, reply) => {
      const { cookie } = await flow.ask(
        guards.sessionOf(request),
        request.body,
        deviceSignals.of(request),
      );
      return done(withCookie(reply, cookie), 'asked', flow.nextOf(request.body.next));
    },
  );

  app.post(
    '/restore',
    {
      bodyLimit,
      config: limits.change,
      schema: {
        operationId: 'devicePages.restore',
        summary: 'Form: restore this device',
        tags,
        hide: true,
        body: RestoreForm,
      },
    },
    async (request, reply) => {
      const { id, next } = request.body;
      const { cookie } = await devices.management.restoreOwn(
        id,
        guards.sessionOf(request),
        deviceSignals.of(request),
      );
      return done(withCookie(reply, cookie), 'restored', flow.nextOf(next));
    },
  );
}

function listForms(
  app: Routes,
  options: DevicePageRoutesOptions,
  show: (request: FastifyRequest, reply: FastifyReply, trouble: FormError) => Promise<FastifyReply>,
): void {
  const { deviceSignals, deviceCookie, deviceGuards, guards, sessions } = options;
  const flow = flowOf(options);

  app.post(
    '/suspend',
    {
      bodyLimit,
      config: limits.change,
      schema: {
        operationId: 'devicePages.suspend',
        summary: 'Form: suspend a device',
        tags,
        hide: true,
        body: DeviceForm,
      },
    },
    async (request, reply) => {
      guards.requireFresh(request);
      await flow.suspend(guards.sessionOf(request), request.body.id, deviceSignals.of(request));
      return done(reply, 'suspended');
    },
  );

  app.post(
    '/rename',
    {
      bodyLimit,
      config: limits.change,
      schema: {
        operationId: 'devicePages.rename',
        summary: 'Form: rename a device',
        tags,
        hide: true,
        body: RenameForm,
      },
    },
    async (request, reply) => {
      const trouble = await flow.rename(
        guards.sessionOf(request),
        request.body,
        deviceSignals.of(request),
      );
      return trouble === undefined
        ? done(reply, 'renamed')
        : show(request, reply.code(400), trouble);
    },
  );

  app.post(
    '/remove',
    {
      bodyLimit,
      config: limits.change,
      schema: {
        operationId: 'devicePages.remove',
        summary: 'Form: remove a device',
        tags,
        hide: true,
        body: DeviceForm,
      },
    },
    async (request, reply) => {
      const { id } = request.body;
      const session = guards.sessionOf(request);
      const isCurrent = (await deviceGuards.recognise(request, reply))?.device.id === id;
      if (!isCurrent) guards.requireFresh(request);
      await flow.remove(session, id, deviceSignals.of(request), isCurrent);
      if (!isCurrent) return done(reply, 'removed');
      await sessions.end(session.userId, session.id);
      return reply
        .removeHeader('set-cookie')
        .header('set-cookie', [deviceCookie.cleared, ...guards.clearedSessionCookies])
        .redirect('/login?next=/account/devices&done=signed_out', 303);
    },
  );

  app.post(
    '/remove-others',
    {
      config: limits.change,
      schema: {
        operationId: 'devicePages.remove_others',
        summary: 'Form: remove all other devices',
        tags,
        hide: true,
      },
    },
    async (request, reply) => {
      guards.requireFresh(request);
      const current = await deviceGuards.recognise(request, reply);
      await flow.removeOthers(
        guards.sessionOf(request),
        current?.device.id,
        deviceSignals.of(request),
      );
      return done(reply, 'others_removed');
    },
  );
}

/** The own devices: for whoever has signed in. */
export const devicePageRoutes: FastifyPluginAsyncZod<DevicePageRoutesOptions> = async (
  app,
  options,
) => {
  const { deviceSignals, deviceGuards, guards, layout } = options;
  const flow = flowOf(options);
  asDevicePages(app, options, '/account/devices', 'Go to your devices');

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { next, name, trouble }: { next?: string; name?: string | undefined; trouble?: FormError },
  ): Promise<FastifyReply> {
    const shown = await deviceGuards.recognise(request, reply);
    const view = await flow.view(guards.sessionOf(request), shown, deviceSignals.of(request), {
      ...(next === undefined ? {} : { next }),
      ...(trouble === undefined ? {} : { trouble }),
    });
    return sendPage(allowScript(reply), layout(devicesPage(view, name)));
  }

  app.get(
    '/',
    {
      config: limits.look,
      schema: {
        operationId: 'devicePages.devices',
        summary: 'Page of the own devices',
        description:
          'What this device may do, what it takes to clear it, and the other devices. Who is not signed in goes to the sign-in page (303).',
        tags,
        querystring: DevicesQuery,
        response: { 200: HtmlPage, ...leadsOn('Nobody is signed in: to the sign-in page.') },
      },
    },
    async (request, reply) =>
      show(request, reply, { next: request.query.next, name: request.query.done }),
  );

  ownForms(app, options);
  listForms(app, options, (request, reply, trouble) => show(request, reply, { trouble }));
};

/** Requests for clearance: for admins on a cleared device. */
export const requestPageRoutes: FastifyPluginAsyncZod<DevicePageRoutesOptions> = async (
  app,
  options,
) => {
  const { devices, deviceGuards, guards, layout, clock } = options;
  const flow = flowOf(options);
  const home = '/account/devices/requests';
  asDevicePages(app, options, home, 'Go to the requests');

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string | undefined,
    unsettled?: DecisionError,
  ): Promise<FastifyReply> {
    const { device, session } = request;
    const script =
      device === undefined
        ? undefined
        : { device, nonce: devices.nonces.current(), now: clock.now() };
    const page = requestsPage(
      {
        ...(await flow.requests(session?.userId, disconnectSignal(reply))),
        viewerId: session?.userId,
        script,
        unsettled,
      },
      name,
    );
    return sendPage(script === undefined ? reply : allowScript(reply), layout(page));
  }

  app.get(
    '/',
    {
      config: limits.look,
      schema: {
        operationId: 'devicePages.requests',
        summary: 'Page of requests for clearance',
        description:
          'Who asks, and forms to decide. Who is not on a cleared device goes to the page of the own devices (303).',
        tags,
        querystring: RequestsQuery,
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is done.'),
        },
      },
    },
    async (request, reply) => show(request, reply, request.query.done),
  );

  app.post(
    '/:id/approve',
    {
      bodyLimit,
      config: limits.decide,
      schema: {
        operationId: 'devicePages.approve',
        summary: 'Form: clear a device',
        tags,
        hide: true,
        params: RequestParams,
        body: ApproveForm,
      },
    },
    async (request, reply) => {
      guards.requireFresh(request);
      const unsettled = await flow.approve(
        request.params.id,
        request.body,
        deviceGuards.approverOf(request),
      );
      return unsettled === undefined
        ? reply.redirect(`${home}?done=approved`, 303)
        : show(request, reply.code(400), undefined, unsettled);
    },
  );

  app.post(
    '/:id/deny',
    {
      bodyLimit,
      config: limits.decide,
      schema: {
        operationId: 'devicePages.deny',
        summary: 'Form: refuse clearance to a device',
        tags,
        hide: true,
        params: RequestParams,
        body: DenyForm,
      },
    },
    async (request, reply) => {
      guards.requireFresh(request);
      await flow.deny(request.params.id, request.body.note, deviceGuards.approverOf(request));
      return reply.redirect(`${home}?done=denied`, 303);
    },
  );
};

/** The script of the pages of devices. */
export const deviceScriptRoute: FastifyPluginAsyncZod = async (app) => {
  app.get(
    deviceScriptPath,
    {
      schema: {
        operationId: 'pages.device_script',
        summary: 'Script of the pages of devices',
        tags: ['pages'],
        hide: true,
      },
    },
    (_request, reply) =>
      reply
        .headers({ 'cache-control': `public, max-age=${oneYear}, immutable` })
        .type('text/javascript; charset=utf-8')
        .send(deviceScript),
  );
};
