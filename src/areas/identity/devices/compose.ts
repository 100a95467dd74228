import type { Database } from '../../../platform/database/database.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Layout } from '../../../platform/ui/pages.tsx';
import type { AuditFigures } from '../../audit/figures.ts';
import type { Geoip } from '../../geoip/country-database.ts';
import type { OwnAccountServices } from '../account/compose.ts';
import type { SecondFactor } from '../factors/service.ts';
import type { Guards } from '../sessions/guards.ts';
import type { Users } from '../users/service.ts';
import { defineDeviceJobs } from './approval/expiry.ts';
import type { DeviceNeeds } from './context.ts';
import { createDashboard } from './dashboard/service.ts';
import { createDeviceGuards, createProofGuards } from './guards.ts';
import { deviceCookie } from './recognition/device-cookie.ts';
import { createRequestSignals } from './recognition/request-context.ts';
import { createDevices } from './service.ts';

/** Creates the services of device security: enrolment, recognition, approval and management. */
export function composeDevices(resources: Resources, needs: DeviceNeeds) {
  const { config, queues, isHttps } = resources;
  const devices = createDevices({
    ...resources,
    ...needs,
    policy: { binding: config.DEVICE_BINDING, first: config.DEVICE_FIRST },
  });
  defineDeviceJobs(queues, devices.sweep);
  const cookie = deviceCookie(isHttps);
  return {
    devices,
    deviceCookie: cookie,
    /** Binds the session of a new sign-in to the device of the cookie in `header`. */
    bindDevice: (userId: string, sessionId: string, header: string | undefined) =>
      devices.bindAtSignIn(userId, sessionId, cookie.read(header)),
  };
}

type DeviceServices = ReturnType<typeof composeDevices>;

/** Creates the reader of device signals and the guards for DPoP proofs (RFC 9449). */
export function composeDeviceProofs(
  resources: Resources,
  needs: Pick<DeviceServices, 'devices' | 'deviceCookie'> & { country: Geoip['country'] },
) {
  const deviceSignals = createRequestSignals(resources, needs);
  return { deviceSignals, ...createProofGuards({ ...needs, deviceSignals }) };
}

type DeviceProofs = ReturnType<typeof composeDeviceProofs>;

/** What the guards for routes that need an approved device are made from. */
export type DeviceGuardNeeds = DeviceServices &
  Pick<DeviceProofs, 'deviceSignals'> & { guards: Pick<Guards, 'sessionOf'> };

/** Creates the guards for routes that need an approved device, and the dashboard. */
export function composeDeviceGuards(
  { db, clock }: Resources,
  needs: DeviceGuardNeeds & { auditFigures: (db: Database) => AuditFigures },
) {
  return {
    deviceGuards: createDeviceGuards(needs),
    dashboard: createDashboard({ db, clock, figuresIn: needs.auditFigures }),
  };
}

/** What the operations and pages of devices run with. */
export type DevicesContext = DeviceServices &
  DeviceProofs &
  ReturnType<typeof composeDeviceGuards> &
  Pick<DeviceNeeds, 'sessions' | 'passkeys'> &
  Pick<Resources, 'clock' | 'baseOrigin'> & {
    guards: Guards;
    users: Pick<Users, 'get'>;
    secondFactor: Pick<SecondFactor, 'statusOf'>;
    ownAccount: Pick<OwnAccountServices, 'avatars'>;
    layout: Layout;
    /** Address shown to users who lack a role. */
    contactEmail: () => string | undefined;
  };
