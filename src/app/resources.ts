import type { Logger } from 'pino';
import { type Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Development } from '../platform/process/development.ts';
import type { Stores } from './stores.ts';

/** What services are made from. */
export interface Resources {
  config: Config;
  clock: Clock;
  logger: Logger;
  stores: Stores;
  /** Which conveniences of development are on. */
  development: Development;
  /** Whether messages of channels without a provider are kept in the outbox. Unset: with the conveniences of development. */
  keepsMessages: boolean | undefined;
  /** The folder of the built scripts of pages, in the one of the build. */
  webFolder: URL;
}
