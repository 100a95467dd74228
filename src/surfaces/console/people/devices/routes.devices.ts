import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { blackopsErrors } from '../../../../areas/identity/devices/errors.ts';
import type { Device } from '../../../../areas/identity/devices/store.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import { FormValues, requireWord } from '../../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form, page } from '../../route-options.ts';
import { cursor, done } from '../../schemas.ts';
import { sectionPath } from '../../sections.ts';
import { readDevices } from './device-views.ts';
import { devicesPage, listedStates } from './devices-page.tsx';
import { userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';

const Params = z.object({ id: z.uuid() });
const DevicesQuery = z.object({
  state: z.enum(listedStates).optional().describe('Only devices in this state.'),
  cursor,
  done,
  about: z.uuid().optional().describe('The device that was changed, for the notice on the page.'),
});

function devicesPageRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { viewerOf, send } = options;
  app.get(
    '/api/svc/console/devices',
    page('console.devices', 'Console: devices', {
      description:
        'Pending approval requests, statistics and all devices. For admins on an approved device.',
      querystring: DevicesQuery,
    }),
    async (request, reply) => {
      const { state, cursor: after, ...notice } = request.query;
      const viewer = viewerOf(request);
      const view = await readDevices(
        options,
        viewer.userId,
        { state, cursor: after },
        disconnectSignal(reply),
      );
      return send(reply, devicesPage(view, viewer, notice));
    },
  );
}

/** Returns a device of another user. Throws `blackops.device_not_found`, `.own_request`. */
async function getDeviceOfOther(
  { services: { devices }, viewerOf }: ConsoleRoutesOptions,
  request: FastifyRequest,
  id: string,
): Promise<Device> {
  const device = await devices.management.get(id, 'all');
  if (device.user_id === viewerOf(request).userId)
    throw blackopsErrors.own_request({
      detail: texts.devices.errors.own,
    });
  return device;
}

/** Redirects to the page of the form. */
const redirectBack = (
  reply: FastifyReply,
  { id, user_id: owner }: Device,
  { from }: FormValues,
  doneKey: string,
): FastifyReply =>
  redirectTo(reply, from === 'user' ? userPath(owner) : sectionPath('devices'), {
    done: doneKey,
    about: id,
  });

function suspendDeviceRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { guards, devices } = options.services;
  app.post(
    '/api/svc/console/devices/:id/suspend',
    form('console.suspend_device', 'Form: suspend a device', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const device = await getDeviceOfOther(options, request, request.params.id);
      await devices.management.suspend(device.id, 'all', requestActor(request), 'admin');
      return redirectBack(reply, device, request.body, 'suspended');
    },
  );
}

function restoreDeviceRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { guards, devices } = options.services;
  app.post(
    '/api/svc/console/devices/:id/restore',
    form('console.restore_device', 'Form: clear a suspended device again', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const device = await getDeviceOfOther(options, request, request.params.id);
      const { userId } = options.viewerOf(request);
      await devices.management.restoreOther(device.id, userId, requestActor(request));
      return redirectBack(reply, device, request.body, 'restored');
    },
  );
}

function revokeDeviceRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { guards, devices } = options.services;
  app.post(
    '/api/svc/console/devices/:id/revoke',
    form('console.revoke_device', 'Form: remove a device for good', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const device = await getDeviceOfOther(options, request, request.params.id);
      requireWord(request.body, device.name);
      await devices.management.revoke(device.id, 'all', requestActor(request), 'admin');
      return redirectBack(reply, device, request.body, 'revoked');
    },
  );
}

/** All devices, and actions on those of other users. Forms need a fresh sign-in. */
export const deviceRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  devicesPageRoute(app, options);
  suspendDeviceRoute(app, options);
  restoreDeviceRoute(app, options);
  revokeDeviceRoute(app, options);
};
