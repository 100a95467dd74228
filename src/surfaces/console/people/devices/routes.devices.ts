import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { blackopsErrors } from '../../../../areas/identity/devices/errors.ts';
import type { Device } from '../../../../areas/identity/devices/store.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { withQuery } from '../../components/navigation.tsx';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { cursor, done } from '../../schemas.ts';
import { sectionPath } from '../../sections.ts';
import { nameOf, userPath } from '../labels.tsx';
import { UserCell } from '../person.tsx';
import { texts } from '../texts/en.ts';
import { devicePage } from './device-page.tsx';
import { readDevices, readRequest, toDeviceRow } from './device-views.ts';
import { devicesPage, listedStates } from './devices-page.tsx';
import { removePage } from './remove-page.tsx';
import { requestPage } from './request-page.tsx';

const params = z.object({ id: z.uuid() });
const home = sectionPath('devices');
const { notDigits, own, wrongNumber } = texts.devices.errors;

const note = z
  .string()
  .max(4096)
  .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .pipe(z.string().max(280))
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const pageOf =
  (doneKey: string) =>
  (_: unknown, { id }: Pick<Device, 'id'>) =>
    withQuery(home, { done: doneKey, about: id });

/** All devices, and decisions on requests for approval, which need a fresh sign-in. */
const approvalRoutes = [
  page({
    id: 'console.devices',
    path: '/api/svc/console/devices',
    summary: 'Console: devices',
    description:
      'Pending approval requests, statistics and all devices. For admins on an approved device.',
    query: z.object({
      state: z.enum(listedStates).optional().describe('Only devices in this state.'),
      cursor,
      done,
      about: z
        .uuid()
        .optional()
        .describe('The device that was changed, for the notice on the page.'),
    }),
    async show(context, { state, cursor: after, ...notice }, { request, signal }) {
      const viewer = context.viewerOf(request);
      const view = await readDevices(context, viewer.userId, { state, cursor: after }, signal);
      return devicesPage(view, viewer, notice);
    },
  }),
  page({
    id: 'console.device_request',
    path: '/api/svc/console/devices/requests/:id',
    summary: 'Console: a request for approval',
    params,
    errors: ['blackops.request_not_found'],
    async show(context, { id }, { request, signal }) {
      const { userId } = context.viewerOf(request);
      return requestPage(await readRequest(context, userId, id, signal), userId);
    },
  }),
  form({
    id: 'console.approve_device',
    path: '/api/svc/console/devices/requests/:id/approve',
    summary: 'Form: approve a device',
    params,
    isFresh: true,
    body: z.object({ number: z.string().max(64).default(''), note }),
    async run({ devices, deviceGuards }, { id, number: typed, note: text }, { request }) {
      const number = typed.replace(/\s/g, '');
      if (!/^\d{2}$/.test(number)) throw blackopsErrors.wrong_number({ detail: notDigits });
      const decision = { isApproved: true, number, note: text };
      return devices.decisions
        .decide(id, decision, deviceGuards.approverOf(request))
        .catch((error: unknown) => {
          const isWrong = error instanceof AppError && error.code === 'blackops.wrong_number';
          throw isWrong ? blackopsErrors.wrong_number({ detail: wrongNumber }) : error;
        });
    },
    to: pageOf('approved'),
  }),
  form({
    id: 'console.deny_device',
    path: '/api/svc/console/devices/requests/:id/deny',
    summary: 'Form: deny approval of a device',
    params,
    isFresh: true,
    body: z.object({ note }),
    run: ({ devices, deviceGuards }, { id, note: text }, { request }) =>
      devices.decisions.decide(
        id,
        { isApproved: false, number: undefined, note: text },
        deviceGuards.approverOf(request),
      ),
    to: pageOf('denied'),
  }),
];

/** Returns a device of another user. Throws `blackops.device_not_found`, `.own_request`. */
async function getDeviceOfOther(
  { devices, viewerOf }: ConsoleRoutesOptions,
  request: FastifyRequest,
  id: string,
): Promise<Device> {
  const device = await devices.management.get(id, 'all');
  if (device.user_id === viewerOf(request).userId)
    throw blackopsErrors.own_request({ detail: own });
  return device;
}

/** What the form is on: the page of a user, else that of all devices. */
const body = z.object({ from: z.string().optional() });

const backOf =
  (doneKey: string) =>
  ({ from }: z.output<typeof body>, { id, user_id: owner }: Device) =>
    withQuery(from === 'user' ? `${userPath(owner)}/devices` : home, { done: doneKey, about: id });

/** Actions on the devices of other users. They need a fresh sign-in. */
export const deviceRoutes = [
  ...approvalRoutes,
  page({
    id: 'console.device',
    path: '/api/svc/console/devices/:id',
    summary: 'Console: a device',
    params,
    query: z.object({ from: z.enum(['user']).optional() }),
    errors: ['blackops.device_not_found'],
    async show(context, { id, from }, { request, signal }) {
      const { management, decisions } = context.devices;
      const device = await management.get(id, 'all');
      const [[owner], open] = await Promise.all([
        context.users.findAll([device.user_id]),
        decisions.list('open', signal),
      ]);
      const row = toDeviceRow(device, owner === undefined ? device.user_id : nameOf(owner));
      const requestId = open.find((each) => each.device.id === id)?.request.id;
      return devicePage({
        device: { ...row, requestId },
        owner,
        isOwn: device.user_id === context.viewerOf(request).userId,
        from,
      });
    },
  }),
  page({
    id: 'console.remove_device',
    path: '/api/svc/console/devices/:id/remove',
    summary: 'Console: remove a device',
    params,
    query: z.object({ from: z.enum(['user']).optional() }),
    errors: ['blackops.device_not_found'],
    async show(context, { id, from }) {
      const device = await context.devices.management.get(id, 'all');
      const [owner] = await context.users.findAll([device.user_id]);
      return removePage(device, owner && UserCell({ user: owner }), from);
    },
  }),
  form({
    id: 'console.suspend_device',
    path: '/api/svc/console/devices/:id/suspend',
    summary: 'Form: suspend a device',
    params,
    isFresh: true,
    body,
    async run(context, { id }, { by, request }) {
      const device = await getDeviceOfOther(context, request, id);
      await context.devices.management.suspend(device.id, 'all', by, 'admin');
      return device;
    },
    to: backOf('suspended'),
  }),
  form({
    id: 'console.restore_device',
    path: '/api/svc/console/devices/:id/restore',
    summary: 'Form: restore a suspended device, or undo its removal',
    params,
    isFresh: true,
    body,
    async run(context, { id }, { by, request }) {
      const device = await getDeviceOfOther(context, request, id);
      const { userId } = context.viewerOf(request);
      return context.devices.management.restoreOther(device.id, userId, by);
    },
    to: (values, device) =>
      backOf(device.state === 'suspended' ? 'kept' : 'restored')(values, device),
  }),
  form({
    id: 'console.revoke_device',
    path: '/api/svc/console/devices/:id/revoke',
    summary: 'Form: remove a device',
    params,
    isFresh: true,
    body,
    async run(context, { id }, { by, request }) {
      const device = await getDeviceOfOther(context, request, id);
      await context.devices.management.remove(device.id, by);
      return device;
    },
    to: backOf('revoked'),
  }),
];
