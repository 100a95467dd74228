import { operationsOf } from '../../../../platform/operations/operation.ts';
import type { DevicesContext } from '../compose.ts';
import { deviceLimits } from '../limits.ts';
import { DeviceList, DeviceParams, RevokedView, UserDeviceParams } from '../schemas.ts';
import { toDeviceList } from '../views.ts';

const operation = operationsOf<DevicesContext>({
  scope: 'admin',
  tag: 'users',
  limit: deviceLimits.admin,
});
const freshSignIn = 'A signed-in admin needs a sign-in within the last five minutes.';

/** The devices of one user, for admins. */
export const userDeviceOperations = [
  operation({
    id: 'users.list_devices',
    path: 'GET /api/v1/users/:id/devices',
    summary: 'List a user’s devices',
    description: 'Most recently used first. Removed devices are not included.',
    params: DeviceParams,
    output: DeviceList,
    errors: ['users.not_found'],
    async run({ devices, users }, { id }) {
      await users.get(id);
      return toDeviceList(await devices.management.listByUser(id), undefined);
    },
  }),
  operation({
    id: 'users.revoke_devices',
    path: 'DELETE /api/v1/users/:id/devices',
    needsFreshSignIn: true,
    summary: 'Remove all of a user’s devices',
    description: `Ends their sessions before responding, and notifies the user. ${freshSignIn}`,
    params: DeviceParams,
    output: RevokedView,
    errors: ['users.not_found'],
    async run({ devices, users }, { id }, { by }) {
      await users.get(id);
      const revoked = await devices.management.revokeAll(id, by, 'admin');
      return {
        revoked: true as const,
        device_id: null,
        devices: revoked.devices,
        sessions_ended: revoked.sessionsEnded,
      };
    },
  }),
  operation({
    id: 'users.revoke_device',
    path: 'DELETE /api/v1/users/:id/devices/:device_id',
    needsFreshSignIn: true,
    summary: 'Remove a user’s device',
    description: `Ends its sessions before responding, and notifies the user. ${freshSignIn}`,
    params: UserDeviceParams,
    output: RevokedView,
    errors: ['blackops.device_not_found'],
    async run({ devices }, { id: userId, device_id: deviceId }, { by }) {
      const revoked = await devices.management.revoke(deviceId, { userId }, by, 'admin');
      return {
        revoked: true as const,
        device_id: deviceId,
        devices: 1,
        sessions_ended: revoked.sessionsEnded,
      };
    },
  }),
];
