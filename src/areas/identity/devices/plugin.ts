import type { FastifyInstance } from 'fastify';
import { shortPathId } from '../../../lib/operation-ids.ts';
import type { Guards } from '../sessions/guards.ts';
import { scope } from '../../../platform/http/scopes.ts';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import type { Scopes } from '../../../platform/http/access.ts';
import type { DevicePageRoutesOptions } from './pages/routes.options.ts';
import { devicePageRoutes } from './pages/routes.device-page.ts';
import { requestPageRoutes } from './pages/routes.request-pages.ts';
import {
  userDeviceRoutes,
  type UserDeviceRoutesOptions,
} from './management/routes.user-devices.ts';
import { deviceAdminRoutes, deviceRoutes, deviceStatusRoutes } from './routes.ts';
import type { DeviceAdminRoutesOptions, DeviceRoutesOptions } from './routes.options.ts';

type DeviceServices = Omit<DeviceRoutesOptions & DeviceAdminRoutesOptions, 'operationId'> &
  DevicePageRoutesOptions &
  Pick<UserDeviceRoutesOptions, 'users'> & {
    scopes: Scopes;
    guards: Pick<Guards, 'freshForChanges'>;
  };

/** Every route exists under both prefixes with the same behaviour, but its own operation id. */
const mounts = [
  { prefix: '/api/auth/blackops', operationId: (id: string) => id },
  { prefix: '/auth/blackops', operationId: shortPathId },
];

function registerPages(app: FastifyInstance, services: DeviceServices): void {
  const { scopes } = services;
  scopes.sameOrigin(app, (pages) => {
    refuseRepeatedMembers(pages);
    scopes.signedIn(pages, (people) => {
      people.register(devicePageRoutes, { prefix: '/account/devices', ...services });
    });
    scopes.withScope('admin', pages, (admins) => {
      admins.register(requestPageRoutes, { prefix: '/account/devices/requests', ...services });
    });
  });
}

/**
 * Registers the routes of device security: public device status, management for signed-in users,
 * decisions for admins.
 */
export function registerDevices(app: FastifyInstance, services: DeviceServices): void {
  app.describeTag('blackops', 'Device security: approval of devices for admin actions.');
  const { scopes, guards } = services;
  for (const mount of mounts) {
    const options = { ...services, ...mount };
    scopes.public(app, (everybody) => {
      refuseRepeatedMembers(everybody);
      everybody.register(deviceStatusRoutes, options);
    });
    scopes.signedIn(app, (people) => {
      refuseRepeatedMembers(people);
      people.register(deviceRoutes, options);
    });
    scopes.withScope('admin', app, (admins) => {
      refuseRepeatedMembers(admins);
      admins.register(deviceAdminRoutes, options);
    });
  }
  scopes.withScope('admin', app, (admins) => {
    scope(admins, 'admin, approved device', guards.freshForChanges(), (child) => {
      child.register(userDeviceRoutes, services);
    });
  });
  registerPages(app, services);
}
