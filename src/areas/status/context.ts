import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import type { Health } from '../health/service.ts';

/** What the services of the status page are made from. */
export interface StatusParts extends Pick<Resources, 'db' | 'clock' | 'logger'> {
  audit: Pick<Audit, 'recordIn'>;
  health: Pick<Health, 'checks' | 'startedAt'>;
}

/** What sends mail to subscribers. */
export interface SubscriptionParts extends Pick<
  Resources,
  'db' | 'queues' | 'keys' | 'clock' | 'baseOrigin'
> {
  messages: Pick<Messages, 'send'>;
  /** Names of components, by their ids. */
  componentNames: (ids: readonly string[]) => string[];
}
