import type { ZoneView } from './schemas.ts';
import type { Zone } from './zones/zone-store.ts';

export const toZoneView = ({
  createdAt,
  updatedAt,
  codes,
  ranges,
  prefixes,
  ...zone
}: Zone): ZoneView => ({
  ...zone,
  codes: [...codes],
  ranges: [...ranges],
  prefixes: [...prefixes],
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
