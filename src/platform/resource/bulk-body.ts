import { z } from 'zod';
import type { Resource } from './resource.ts';

const ids = z.array(z.uuid().toLowerCase()).min(1).max(500).describe('The entries to change.');

/** The body of a bulk change: deletes entries, or sets the same members of all. */
export function bulkBodyOf({ update, canDelete = true, type }: Resource) {
  const example = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
  const remove = z.strictObject({ ids, delete: z.literal(true) });
  const change = update && z.strictObject({ ids, set: update });
  const body = change === undefined ? remove : canDelete ? z.union([change, remove]) : change;
  return body.meta({
    id: `Bulk${type}Body`,
    examples: [canDelete ? { ids: [example], delete: true } : { ids: [example], set: {} }],
  });
}
