import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { withShortPath } from '../../../platform/operations/short-path.ts';
import {
  decisionOperations,
  requestApprovalOperation,
  statusOperations,
} from './approval/operations.ts';
import type { DevicesContext } from './compose.ts';
import { dashboardOperations } from './dashboard/operations.ts';
import { deviceOperations, listDevicesOperation } from './management/operations.ts';
import { userDeviceOperations } from './management/operations.users.ts';
import { devicePageRoutes } from './pages/routes.device-page.ts';
import { requestPageRoutes } from './pages/routes.request-pages.ts';

const operations = [
  ...withShortPath([
    ...statusOperations,
    listDevicesOperation,
    requestApprovalOperation,
    ...deviceOperations,
    ...decisionOperations,
    ...dashboardOperations,
  ]),
  ...userDeviceOperations,
];

/**
 * Registers the routes of device security: public device status, management for signed-in users,
 * decisions for admins.
 */
export function registerDevices(
  app: FastifyInstance,
  services: DevicesContext & OperationServices,
): void {
  app.describeTag('blackops', 'Device security: approval of devices for admin actions.');
  const { scopes } = services;
  registerOperations(app, services, operations);
  scopes.sameOrigin(app, (pages) => {
    refuseRepeatedMembers(pages);
    scopes.signedIn(pages, (people) => {
      people.register(devicePageRoutes, services);
    });
    scopes.withScope('admin', pages, (admins) => {
      admins.register(requestPageRoutes, services);
    });
  });
}
