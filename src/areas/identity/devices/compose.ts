import type { Geoip } from '../../geoip/country-database.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { AuditFigures } from '../../audit/figures.ts';
import type { Audit } from '../../audit/service.ts';
import type { Guards } from '../sessions/guards.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { Passkeys } from '../factors/passkeys/service.ts';
import type { People } from '../users/compose.ts';
import type { Users } from '../users/service.ts';
import type { SecondFactor } from '../factors/service.ts';
import type { Layout } from '../../../platform/ui/pages.tsx';
import type { Database } from '../../../platform/database/database.ts';
import { createDashboard } from './dashboard/service.ts';
import { createDevicePasskeys } from './management/device-passkeys.ts';
import { createDeviceGuards, createProofGuards } from './guards.ts';
import { defineDeviceJobs } from './approval/expiry.ts';
import { deviceCookie } from './recognition/device-cookie.ts';
import { createRequestSignals, type RequestSignals } from './recognition/request-context.ts';
import { createDevices, type Devices } from './service.ts';

interface DeviceNeeds {
  audit: Audit;
  messages: Messages;
  passkeys: Passkeys;
  sessions: Sessions;
  findUser: People['findUser'];
  /** True when requests from this machine may sign in without a proof. */
  isBypassOpen: boolean;
}

/** Creates the services of device security: enrolment, recognition, approval and management. */
export function composeDevices(
  resources: Resources,
  { audit, messages, passkeys, sessions, findUser, isBypassOpen }: DeviceNeeds,
) {
  const { config, db, redis, keys, clock, logger, bus, baseUrl } = resources;
  const devices = createDevices({
    db,
    redis,
    keys,
    clock,
    logger,
    audit,
    sessions,
    messages,
    publisher: bus,
    findUser,
    baseUrl,
    isDevelopment: isBypassOpen,
    policy: { binding: config.DEVICE_BINDING, first: config.DEVICE_FIRST },
  });
  defineDeviceJobs(resources.queues, devices.sweep);
  const cookie = deviceCookie(resources.isHttps);
  return {
    devices,
    devicePasskeys: createDevicePasskeys({ passkeys, management: devices.management }),
    deviceCookie: cookie,
    /** Binds the session of a new sign-in to the device of the cookie in `header`. */
    bindDevice: (userId: string, sessionId: string, header: string | undefined) =>
      devices.bindAtSignIn(userId, sessionId, cookie.read(header)),
  };
}

type DeviceServices = ReturnType<typeof composeDevices>;

/** Creates the reader of device signals and the guards for DPoP proofs (RFC 9449). */
export function composeDeviceProofs(
  { config, clock, keys, baseOrigin }: Resources,
  {
    devices,
    deviceCookie: cookie,
    country,
  }: Pick<DeviceServices, 'devices' | 'deviceCookie'> & { country: Geoip['country'] },
) {
  const deviceSignals = createRequestSignals({
    baseOrigin,
    isBaseKnown: config.BASE_URL !== undefined,
    proofs: devices.proofs,
    cookie,
    country,
    clock,
    key: keys('device-origins'),
  });
  return { deviceSignals, ...createProofGuards({ devices, signals: deviceSignals }) };
}

/** Creates the guards for routes that need an approved device, and the dashboard. */
export function composeDeviceGuards(
  { db, clock }: Resources,
  {
    guards,
    devices,
    deviceSignals,
    deviceCookie,
    auditFigures,
  }: {
    guards: Guards;
    devices: Devices;
    deviceSignals: RequestSignals;
    deviceCookie: DeviceServices['deviceCookie'];
    auditFigures: (db: Database) => AuditFigures;
  },
) {
  return {
    deviceGuards: createDeviceGuards({
      guards,
      devices,
      signals: deviceSignals,
      cookie: deviceCookie,
    }),
    dashboard: createDashboard({ db, figuresIn: auditFigures, clock }),
  };
}

/** What the operations and pages of devices run with. */
export type DevicesContext = DeviceServices &
  ReturnType<typeof composeDeviceProofs> &
  ReturnType<typeof composeDeviceGuards> & {
    guards: Pick<Guards, 'peek' | 'sessionOf' | 'requireFresh' | 'clearedSessionCookies'>;
    sessions: Pick<Sessions, 'end'>;
    users: Pick<Users, 'get'>;
    secondFactor: Pick<SecondFactor, 'statusOf'>;
    passkeys: Pick<Passkeys, 'origin'>;
    layout: Layout;
    /** Address shown to users who lack a role. */
    contactEmail: string | undefined;
  } & Pick<Resources, 'clock' | 'baseOrigin'>;
