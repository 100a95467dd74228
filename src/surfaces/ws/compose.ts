import type { ApiKeys } from '../../areas/api-keys/service.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { Sessions } from '../../areas/identity/sessions/service.ts';
import type { DeviceGuards } from '../../areas/identity/devices/guards.ts';
import type { Status } from '../../areas/status/service.ts';
import type { Resources } from '../../platform/resources.ts';
import { createHandshakes } from './guards.ts';
import { createIdentities } from './clients/identities.ts';
import { createRealtime } from './service.ts';

interface RealtimeNeeds {
  sessions: Sessions;
  apiKeys: ApiKeys;
  status: Status;
  guards: Guards;
  deviceGuards: DeviceGuards;
  /** The version of the service. */
  version: string;
}

/** Creates the sockets, and the authentication of their handshakes. */
export function composeRealtime(
  { config, clock, logger, bus, redis }: Resources,
  { sessions, apiKeys, status, guards, deviceGuards, version }: RealtimeNeeds,
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
      limits: {
        total: config.WS_CONNECTION_LIMIT,
        perAddress: config.RATE_LIMIT ? 1000 : Infinity,
      },
    }),
    handshakes: createHandshakes({
      guards,
      deviceGuards,
      identities,
      origins: config.WS_ORIGINS,
    }),
  };
}
