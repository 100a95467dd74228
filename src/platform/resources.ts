import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { BrandReader } from './brand/brand.ts';
import type { Bus } from './bus/bus.ts';
import type { Keys } from './crypto/keys.ts';
import type { Database } from './database/database.ts';
import type { Development } from './http/development.ts';
import type { Queues } from './queues/queues.ts';
import type { LiveSettingsReader } from './settings/live-settings.ts';

/** The shared resources of all areas and surfaces. */
export interface Resources {
  config: Config;
  clock: Clock;
  logger: Logger;
  db: Database;
  redis: Redis;
  bus: Bus;
  /** The owner's brand as it is now. */
  brand: BrandReader;
  /** The settings that admins change, as they are now. */
  live: LiveSettingsReader;
  queues: Queues;
  keys: Keys;
  development: Development;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** The origin of `baseUrl`. */
  baseOrigin: string;
  /** True when browsers use HTTPS. Cookies are `Secure` then. */
  isHttps: boolean;
}
