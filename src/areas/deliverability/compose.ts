import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { createDeliverability } from './checking.ts';
import { createPlaces } from './places.ts';
import { createZoneStore } from './zones/zone-store.ts';
import { createZones } from './zones/zones.ts';

/** Checks of postal codes, and the delivery zones behind them. */
export function composeDeliverability({ clock, db }: Resources, { audit }: { audit: Audit }) {
  const store = createZoneStore(db);
  return {
    deliverability: createDeliverability({ store, places: createPlaces(), clock }),
    zones: createZones({ db, store, audit, clock }),
  };
}
