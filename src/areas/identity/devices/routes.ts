import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { noStore } from '../../../platform/http/security.ts';
import { getDeviceStatus, requestClearance } from './clearance/routes.clearance.ts';
import { approveRequest, denyRequest, listRequests } from './clearance/routes.requests.ts';
import { getAnalytics, getDashboard } from './dashboard/routes.dashboard.ts';
import { listDevices, renameDevice, revokeDevice } from './management/routes.devices.ts';
import { getPasskeyOptions, verifyPasskey } from './management/routes.passkey.ts';
import { restoreDevice, suspendDevice } from './management/routes.suspension.ts';
import type { DeviceAdminRoutesOptions, DeviceRoutesOptions } from './routes.options.ts';

/** The public status of the device that a request comes from. */
export const deviceStatusRoutes: FastifyPluginAsyncZod<DeviceRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  getDeviceStatus(app, options);
};

/** Device routes of signed-in users. */
export const deviceRoutes: FastifyPluginAsyncZod<DeviceRoutesOptions> = async (app, options) => {
  noStore(app);
  listDevices(app, options);
  requestClearance(app, options);
  revokeDevice(app, options);
  renameDevice(app, options);
  suspendDevice(app, options);
  restoreDevice(app, options);
  getPasskeyOptions(app, options);
  verifyPasskey(app, options);
};

/** Device routes of admins on a cleared device. */
export const deviceAdminRoutes: FastifyPluginAsyncZod<DeviceAdminRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  listRequests(app, options);
  approveRequest(app, options);
  denyRequest(app, options);
  getDashboard(app, options);
  getAnalytics(app, options);
};
