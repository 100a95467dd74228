import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { blackopsErrors } from '../errors.ts';
import type { RecognisedDevice } from '../recognition/recognition.ts';
import { bodyLimit, type DeviceRoutesOptions, rateLimits, tags } from '../routes.options.ts';
import {
  DeviceList,
  DeviceListQuery,
  DeviceParams,
  DeviceView,
  RenameBody,
  RevokeDeviceBody,
  RevokedView,
} from '../schemas.ts';
import { toDeviceView } from '../views.ts';

type Device = RecognisedDevice['device'];

export function listDevices(
  app: ZodApp,
  { devices, deviceGuards, guards, operationId }: DeviceRoutesOptions,
): void {
  app.get(
    '/devices',
    {
      config: rateLimits.read,
      schema: {
        operationId: operationId('blackops.list_devices'),
        summary: 'List your devices',
        description:
          'Removed devices are not included. For each device, only the network and ' +
          'country it is used from are stored.',
        tags,
        querystring: DeviceListQuery,
        errors: ['request.forbidden', 'blackops.device_not_cleared', 'blackops.device_revoked'],
        response: { 200: DeviceList },
      },
    },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      const { user_id: userId = session.userId } = request.query;
      if (userId !== session.userId) await deviceGuards.requireAdmin(request, reply);
      const current = await deviceGuards.recognise(request, reply);
      const all = await devices.management.listByUser(userId);
      return {
        devices: all.map((device) => toDeviceView(device, current?.device.id)),
        total: all.length,
      };
    },
  );
}

export function renameDevice(
  app: ZodApp,
  { devices, deviceGuards, guards, operationId }: DeviceRoutesOptions,
): void {
  app.patch(
    '/devices/:id',
    {
      bodyLimit,
      config: rateLimits.change,
      schema: {
        operationId: operationId('blackops.rename_device'),
        summary: 'Rename a device',
        description: 'You can rename only your own devices.',
        tags,
        params: DeviceParams,
        body: RenameBody,
        errors: ['blackops.device_not_found', 'blackops.device_revoked'],
        response: { 200: DeviceView },
      },
    },
    async (request, reply) => {
      const { userId } = guards.sessionOf(request);
      const current = await deviceGuards.recognise(request, reply);
      const { id } = request.params;
      const { device_name: name } = request.body;
      const renamed = await devices.management.rename(id, userId, name, requestActor(request));
      return toDeviceView(renamed, current?.device.id);
    },
  );
}

/** Selects the devices of the body: one by id, own ones by fingerprint, or all other own ones. */
async function selectDevices(
  { devices, deviceGuards, guards }: DeviceRoutesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { device_id: id, fingerprint, all_others: allOthers }: z.output<typeof RevokeDeviceBody>,
  current: Device | undefined,
): Promise<Device[]> {
  if (id !== undefined)
    return [await devices.management.get(id, await deviceGuards.scopeFor(request, reply, id))];
  const own = await devices.management.listByUser(guards.sessionOf(request).userId);
  const hash = fingerprint === undefined ? undefined : devices.fingerprintHash(fingerprint);
  return own.filter((device) =>
    allOthers === true ? device.id !== current?.id : device.fingerprint_hash === hash,
  );
}

/** Revokes the devices one by one and returns the number of ended sessions. */
async function revokeDevices(
  { devices, guards }: DeviceRoutesOptions,
  request: FastifyRequest,
  targets: readonly Device[],
  current: Device | undefined,
): Promise<number> {
  const { userId } = guards.sessionOf(request);
  let ended = 0;
  for (const { id, user_id: owner } of targets) {
    const reason = owner === userId ? 'owner' : 'admin';
    const revoked = await devices.management.revoke(
      id,
      { userId: owner },
      requestActor(request),
      reason,
      id === current?.id,
    );
    ended += revoked.sessionsEnded;
  }
  return ended;
}

const revokeErrors = [
  'auth.step_up_required',
  'blackops.device_not_found',
  'request.forbidden',
  'blackops.device_not_cleared',
  'blackops.device_revoked',
] as const;

export function revokeDevice(app: ZodApp, options: DeviceRoutesOptions): void {
  const { deviceCookie, deviceGuards, guards, operationId } = options;
  app.delete(
    '/devices',
    {
      bodyLimit,
      config: rateLimits.change,
      schema: {
        operationId: operationId('blackops.revoke_device'),
        summary: 'Remove a device permanently',
        description:
          'Ends the sessions and refresh tokens of the device before responding. ' +
          'Removing a device other than the current one requires a sign-in within the ' +
          'last five minutes. Admins on an approved device can remove the devices of all ' +
          'users.',
        tags,
        body: RevokeDeviceBody,
        errors: revokeErrors,
        response: { 200: RevokedView },
      },
    },
    async (request, reply) => {
      const { device: bound } = guards.sessionOf(request);
      const current = (await deviceGuards.recognise(request, reply))?.device;
      const targets = await selectDevices(options, request, reply, request.body, current);
      if (targets.length === 0 && request.body.all_others !== true)
        throw blackopsErrors.device_not_found();
      if (targets.some(({ id }) => id !== current?.id)) guards.requireFresh(request);
      const ended = await revokeDevices(options, request, targets, current);
      if (targets.some(({ id }) => id === current?.id))
        void reply.header('set-cookie', [
          deviceCookie.cleared,
          ...(bound?.id === current?.id ? guards.clearedSessionCookies : []),
        ]);
      return {
        revoked: true as const,
        device_id: targets.length === 1 ? (targets[0]?.id ?? null) : null,
        devices: targets.length,
        sessions_ended: ended,
      };
    },
  );
}
