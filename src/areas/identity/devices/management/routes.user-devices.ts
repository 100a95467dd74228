import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { noStore } from '../../../../platform/http/security.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import type { Users } from '../../users/service.ts';
import { type DeviceAdminRoutesOptions, rateLimits } from '../routes.options.ts';
import { DeviceList, DeviceParams, RevokedView, UserDeviceParams } from '../schemas.ts';
import { toDeviceView } from '../views.ts';

export interface UserDeviceRoutesOptions extends Pick<DeviceAdminRoutesOptions, 'devices'> {
  users: Pick<Users, 'get'>;
}

const tags = ['users'];
const config = rateLimits.admin;
const freshSignIn = 'A signed-in admin needs a sign-in within the last five minutes.';

function listRoute(app: ZodApp, { devices, users }: UserDeviceRoutesOptions): void {
  app.get(
    '/api/v1/users/:id/devices',
    {
      config,
      schema: {
        operationId: 'users.list_devices',
        summary: 'List the devices of a user',
        description: 'The devices that are not removed, most recently used first.',
        tags,
        params: DeviceParams,
        errors: ['users.not_found'],
        response: { 200: DeviceList },
      },
    },
    async ({ params: { id } }) => {
      await users.get(id);
      const all = await devices.management.listByUser(id);
      return { devices: all.map((device) => toDeviceView(device, undefined)), total: all.length };
    },
  );
}

function revokeAllRoute(app: ZodApp, { devices, users }: UserDeviceRoutesOptions): void {
  app.delete(
    '/api/v1/users/:id/devices',
    {
      config,
      schema: {
        operationId: 'users.revoke_devices',
        summary: 'Remove all devices of a user',
        description: `Ends their sessions before responding, and tells the user. ${freshSignIn}`,
        tags,
        params: DeviceParams,
        errors: ['users.not_found'],
        response: { 200: RevokedView },
      },
    },
    async (request) => {
      const { id } = request.params;
      await users.get(id);
      const revoked = await devices.management.revokeAll(id, requestActor(request), 'admin');
      return {
        revoked: true as const,
        device_id: null,
        devices: revoked.devices,
        sessions_ended: revoked.sessionsEnded,
      };
    },
  );
}

function revokeRoute(app: ZodApp, { devices }: UserDeviceRoutesOptions): void {
  app.delete(
    '/api/v1/users/:id/devices/:device_id',
    {
      config,
      schema: {
        operationId: 'users.revoke_device',
        summary: 'Remove a device of a user',
        description: `Ends its sessions before responding, and tells the user. ${freshSignIn}`,
        tags,
        params: UserDeviceParams,
        errors: ['blackops.device_not_found'],
        response: { 200: RevokedView },
      },
    },
    async (request) => {
      const { id: userId, device_id: deviceId } = request.params;
      const by = requestActor(request);
      const revoked = await devices.management.revoke(deviceId, { userId }, by, 'admin');
      return {
        revoked: true as const,
        device_id: deviceId,
        devices: 1,
        sessions_ended: revoked.sessionsEnded,
      };
    },
  );
}

/** The devices of one user, for admins. In a scope that wants a fresh sign-in for changes. */
export const userDeviceRoutes: FastifyPluginAsyncZod<UserDeviceRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  listRoute(app, options);
  revokeAllRoute(app, options);
  revokeRoute(app, options);
};
