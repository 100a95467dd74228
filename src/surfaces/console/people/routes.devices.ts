import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../../platform/errors/errors.ts';
import { leadsOn, sendPage } from '../../../platform/ui/page-scope.ts';
import { disconnectSignal } from '../../../platform/http/requester.ts';
import type { Approver, Verdict } from '../../../areas/blackops/clearance/decisions.ts';
import type { Device } from '../../../areas/blackops/store.ts';
import { devicesPage, type DevicesView, listedStates, type Said } from './devices-page.ts';
import { formLimit, FormValues, requireWord } from '../form-values.ts';
import { changes, looks } from '../limits.ts';
import { withQuery } from '../parts.ts';
import { userPlace } from './people-words.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { done, HtmlPage } from '../schemas.ts';
import { placeOf } from '../sections.ts';
import type { Viewer } from '../request-context.ts';

export interface DeviceListQuery {
  state?: Device['state'] | undefined;
  cursor?: string | undefined;
}

/** Devices of all people, and what admins decide. Whatever is done has its entry in the audit log. */
export interface DeviceSource {
  view: (
    viewer: Viewer,
    query: DeviceListQuery,
    signal: AbortSignal,
  ) => Promise<Omit<DevicesView, 'state' | 'cursor'>>;
  /** Throws as the API's call does: `blackops.wrong_number`, `.own_request`, `.request_not_found`, `.already_decided`, `.device_not_cleared`. */
  decide: (requestId: string, verdict: Verdict, approver: Approver) => Promise<Device>;
  /** Somebody else's device. Throws `blackops.device_not_found`, `.own_request`. */
  othersDevice: (id: string, viewer: Viewer) => Promise<Device>;
  suspend: (id: string, viewer: Viewer) => Promise<unknown>;
  restore: (id: string, viewer: Viewer) => Promise<unknown>;
  revoke: (id: string, viewer: Viewer) => Promise<unknown>;
}

export interface DeviceRoutesOptions extends ConsoleRoutesOptions {
  deviceDesk: DeviceSource;
  requireFresh: (request: FastifyRequest) => void;
  approverOf: (request: FastifyRequest) => Approver;
}

type Routes = Parameters<FastifyPluginAsyncZod<DeviceRoutesOptions>>[0];

const line = z
  .string()
  .max(4096)
  .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .pipe(z.string().max(280))
  .transform((text) => (text === '' ? undefined : text))
  .optional();
const Params = z.object({ id: z.uuid() });
const Query = z.object({
  state: z.enum(listedStates).optional().describe('Devices in this state only.'),
  cursor: z.uuid().optional().describe('Where the page before ended.'),
  done,
  about: z.uuid().optional().describe('The device that `done` is about.'),
});
const ApproveForm = z.object({ number: z.string().max(64), note: line });
const DenyForm = z.object({ note: line });

const tags = ['pages'];
const home = placeOf('devices');
const options = { ...formLimit, config: changes };
const form = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags,
  hide: true,
  params: Params,
});

type Show = (
  request: FastifyRequest,
  reply: FastifyReply,
  query: DeviceListQuery,
  said: Said,
) => Promise<FastifyReply>;

function decisionForms(
  app: Routes,
  { deviceDesk, requireFresh, approverOf }: DeviceRoutesOptions,
  show: Show,
): void {
  app.post(
    '/requests/:id/approve',
    {
      ...options,
      schema: { ...form('console.approve_device', 'Form: clear a device'), body: ApproveForm },
    },
    async (request, reply) => {
      requireFresh(request);
      const number = request.body.number.replace(/\s/g, '');
      if (!/^\d{2}$/.test(number))
        return show(
          request,
          reply.code(400),
          {},
          { mistake: 'Enter the two digits that the device shows. Nothing was changed.' },
        );
      try {
        const device = await deviceDesk.decide(
          request.params.id,
          { isApproved: true, number, note: request.body.note },
          approverOf(request),
        );
        return await reply.redirect(withQuery(home, { done: 'approved', about: device.id }), 303);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'blackops.wrong_number') throw error;
        return show(
          request,
          reply.code(400),
          {},
          {
            mistake:
              'The device shows another number. Ask its owner again: the third wrong number denies the request.',
          },
        );
      }
    },
  );

  app.post(
    '/requests/:id/deny',
    {
      ...options,
      schema: {
        ...form('console.deny_device', 'Form: refuse clearance to a device'),
        body: DenyForm,
      },
    },
    async (request, reply) => {
      requireFresh(request);
      const device = await deviceDesk.decide(
        request.params.id,
        { isApproved: false, number: undefined, note: request.body.note },
        approverOf(request),
      );
      return reply.redirect(withQuery(home, { done: 'denied', about: device.id }), 303);
    },
  );
}

function deviceForms(
  app: Routes,
  { viewerOf, deviceDesk, requireFresh }: DeviceRoutesOptions,
): void {
  /** To the page that the form was on. */
  const back = (
    reply: FastifyReply,
    { id, user_id: owner }: Device,
    values: FormValues,
    what: string,
  ) =>
    reply.redirect(
      withQuery(values.from === 'user' ? userPlace(owner) : home, { done: what, about: id }),
      303,
    );

  app.post(
    '/:id/suspend',
    {
      ...options,
      schema: { ...form('console.suspend_device', 'Form: suspend a device'), body: FormValues },
    },
    async (request, reply) => {
      requireFresh(request);
      const viewer = viewerOf(request);
      const device = await deviceDesk.othersDevice(request.params.id, viewer);
      await deviceDesk.suspend(device.id, viewer);
      return back(reply, device, request.body, 'suspended');
    },
  );

  app.post(
    '/:id/restore',
    {
      ...options,
      schema: {
        ...form('console.restore_device', 'Form: clear a suspended device again'),
        body: FormValues,
      },
    },
    async (request, reply) => {
      requireFresh(request);
      const viewer = viewerOf(request);
      const device = await deviceDesk.othersDevice(request.params.id, viewer);
      await deviceDesk.restore(device.id, viewer);
      return back(reply, device, request.body, 'restored');
    },
  );

  app.post(
    '/:id/revoke',
    {
      ...options,
      schema: {
        ...form('console.revoke_device', 'Form: remove a device for good'),
        body: FormValues,
      },
    },
    async (request, reply) => {
      requireFresh(request);
      const viewer = viewerOf(request);
      const device = await deviceDesk.othersDevice(request.params.id, viewer);
      requireWord(request.body, device.name);
      await deviceDesk.revoke(device.id, viewer);
      return back(reply, device, request.body, 'revoked');
    },
  );
}

/** Who waits for clearance, and all devices. */
export const deviceDeskRoutes: FastifyPluginAsyncZod<DeviceRoutesOptions> = async (app, parts) => {
  const { consoleLayout, viewerOf, deviceDesk } = parts;

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    query: DeviceListQuery,
    said: Said,
  ): Promise<FastifyReply> {
    const viewer = viewerOf(request);
    const view = await deviceDesk.view(viewer, query, disconnectSignal(reply));
    return sendPage(
      reply,
      consoleLayout(
        devicesPage({ ...view, state: query.state, cursor: query.cursor }, viewer, said),
        viewer,
      ),
    );
  }

  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.devices',
        summary: 'The console: devices',
        description:
          'Who waits for clearance, figures, and all devices. For admins on a cleared device.',
        tags,
        querystring: Query,
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.'),
        },
      },
    },
    async (request, reply) => {
      const { state, cursor, ...said } = request.query;
      return show(request, reply, { state, cursor }, said);
    },
  );

  decisionForms(app, parts, show);
  deviceForms(app, parts);
};
