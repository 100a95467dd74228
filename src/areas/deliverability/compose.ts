import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { createPlaces } from './places.ts';
import { createDeliverability } from './service.ts';
import { createZones } from './zones/service.ts';
import { createZoneStore } from './zones/store.ts';

/** Checks of postal codes, and the delivery zones behind them. */
export function composeDeliverability({ clock, db }: Resources, { audit }: { audit: Audit }) {
  const store = createZoneStore(db);
  return {
    deliverability: createDeliverability({ store, places: createPlaces(), clock }),
    zones: createZones({ db, store, audit, clock }),
  };
}

/** The checks and zones: what the operations of this area run with. */
export type DeliverabilityContext = ReturnType<typeof composeDeliverability>;
