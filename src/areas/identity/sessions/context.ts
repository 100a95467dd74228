import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { People } from '../users/compose.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Sessions } from './service.ts';

/** What sessions need of other folders. */
export interface SessionNeeds extends People {
  audit: Audit;
}

/** What sessions are made from. */
export type SessionResources = Resources & SessionNeeds & { knownDevices: KnownDevices };

/** What the services that manage them are made from. */
export type SessionParts = Resources & SessionNeeds & { sessions: Sessions };
