import type { Logger } from 'pino';
import { createJobEvents } from '../areas/realtime/job-events.ts';
import { createCurrentBrand, type CurrentBrand } from '../areas/settings/current-brand.ts';
import { createCurrentLive, type CurrentLive } from '../areas/settings/current-live.ts';
import { historyOf } from '../areas/realtime/channels.ts';
import { type Config } from '../config.ts';
import { baseUrlOf } from '../platform/settings/base-url.ts';
import type { Clock } from '../lib/clock.ts';
import { createBus } from '../platform/bus/bus.ts';
import { openKeys } from '../platform/crypto/keys.ts';
import { developmentOf } from '../platform/http/development.ts';
import { createQueues } from '../platform/queues/queues.ts';
import type { Resources } from '../platform/resources.ts';
import type { Stores } from './stores.ts';

export interface ResourceOptions {
  config: Config;
  clock: Clock;
  logger: Logger;
  stores: Stores;
}

/** What admins have saved, which all of the service reads. */
export interface CurrentSettings {
  currentBrand: CurrentBrand;
  currentLive: CurrentLive;
}

/** Creates the shared resources of areas and surfaces from the stores. */
export async function openResources({
  config,
  clock,
  logger,
  stores: { db, redis, redisAddress, dataDir },
}: ResourceOptions): Promise<Resources & CurrentSettings> {
  const bus = createBus({ redis, address: redisAddress, historyOf, clock, logger });
  const baseUrl = baseUrlOf(config);
  const currentBrand = createCurrentBrand(config, { db, bus, logger });
  const currentLive = createCurrentLive(config, { db, bus, logger }, () => currentBrand.renew());
  await Promise.all([currentBrand.refresh(), currentLive.refresh()]);
  return {
    config,
    clock,
    logger,
    db,
    redis,
    bus,
    brand: currentBrand.brand,
    currentBrand,
    live: currentLive.live,
    currentLive,
    queues: createQueues({
      connection: redisAddress,
      prefix: 'jobs',
      logger,
      clock,
      onJobEnd: createJobEvents(bus),
    }),
    keys: await openKeys({ secret: config.AUTH_SECRET, dataDir: dataDir.path }),
    development: developmentOf(config),
    baseUrl,
    baseOrigin: new URL(baseUrl).origin,
    isHttps: baseUrl.startsWith('https:'),
  };
}
