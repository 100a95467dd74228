import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { Users } from '../users/service.ts';
import type { EnrolledFactors } from './enrolled-factors.ts';
import type { OnFactorUse, RecordFactor } from './factor-log.ts';
import type { SecondFactorStore } from './store.ts';

/** What second factors need of other folders. */
export interface FactorNeeds {
  audit: Audit;
  knownDevices: KnownDevices;
  users: Users;
  onUse: OnFactorUse;
}

/** What the services of second factors are made from. */
export interface FactorParts extends Resources, FactorNeeds {
  store: SecondFactorStore;
  factors: EnrolledFactors;
  record: RecordFactor;
}
