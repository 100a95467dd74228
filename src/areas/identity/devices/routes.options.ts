import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { Guards } from '../sessions/guards.ts';
import type { Dashboard } from './dashboard/service.ts';
import type { DeviceGuards } from './guards.ts';
import type { DevicePasskeys } from './management/device-passkeys.ts';
import type { DeviceCookie } from './recognition/device-cookie.ts';
import type { RequestSignals } from './recognition/request-context.ts';
import type { Devices } from './service.ts';

export interface DeviceRoutesOptions {
  devices: Devices;
  devicePasskeys: DevicePasskeys;
  deviceSignals: RequestSignals;
  deviceCookie: DeviceCookie;
  deviceGuards: DeviceGuards;
  guards: Pick<Guards, 'peek' | 'sessionOf' | 'requireFresh' | 'clearedSessionCookies'>;
  /** Returns the operation id under the current prefix: the routes are mounted under two. */
  operationId: (id: string) => string;
}

export interface DeviceAdminRoutesOptions extends Pick<
  DeviceRoutesOptions,
  'devices' | 'deviceGuards' | 'guards' | 'operationId'
> {
  dashboard: Dashboard;
}

export const tags = ['blackops'];
export const bodyLimit = 8 * 1024;

export const rateLimits = {
  read: { rateLimit: limit({ max: 120, seconds: 60, group: 'devices' }) },
  change: { rateLimit: limit({ max: 30, seconds: 300, group: 'device-changes' }) },
  admin: { rateLimit: limit({ max: 120, seconds: 60, group: 'device-admin' }) },
};
