import { createIdentities } from '../surfaces/ws/identities.ts';
import { createHandshakes } from '../surfaces/ws/guards.ts';
import { createRealtime } from '../surfaces/ws/service.ts';
import type { ApiKeys } from '../areas/api-keys/service.ts';
import type { Guards } from '../areas/auth/guards.ts';
import type { Sessions } from '../areas/auth/sessions.ts';
import type { DeviceGuards } from '../areas/blackops/guards.ts';
import type { Status } from '../areas/status/service.ts';
import type { Resources } from '../platform/resources.ts';
import { version } from './version.ts';

export interface RealtimeNeeds {
  sessions: Sessions;
  apiKeys: ApiKeys;
  status: Status;
  guards: Guards;
  deviceGuards: DeviceGuards;
}

/** The sockets. */
export function composeRealtime(
  { config, clock, logger, bus, redis }: Resources,
  { sessions, apiKeys, status, guards, deviceGuards }: RealtimeNeeds,
) {
  const identities = createIdentities({
    sessions,
    apiKeys,
    isAnyDeviceCleared: config.DEVICE_BINDING === 'none',
  });
  return {
    identities,
    realtime: createRealtime({
      bus,
      redis,
      identities,
      statusSummary: status.summary,
      version: `Platform Service ${version}`,
      clock,
      logger,
      most: { all: config.WS_CONNECTION_LIMIT, ofAddress: config.RATE_LIMIT ? 1000 : Infinity },
    }),
    handshakes: createHandshakes({
      guards,
      deviceGuards,
      identities,
      origins: config.WS_ORIGINS,
    }),
  };
}
