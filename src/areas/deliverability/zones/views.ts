import type { ZoneView } from './schemas.ts';
import type { Zone } from './store.ts';

export const toZoneView = ({ createdAt, updatedAt, ...zone }: Zone): ZoneView => ({
  ...zone,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
