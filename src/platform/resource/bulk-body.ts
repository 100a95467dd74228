import { z } from 'zod';
import { memoizeByObject } from '../../lib/memoize.ts';
import { idOf, type Resource } from './resource.ts';

/**
 * The body of a bulk change: deletes entries, or sets the same members of all. One for each
 * resource, also in a process with several apps: its name must not be registered twice.
 */
export const bulkBodyOf = memoizeByObject((resource: Resource) => {
  const { update, canDelete = true, type } = resource;
  const ids = z.array(idOf(resource)).min(1).max(500).describe('The entries to change.');
  const example = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
  const remove = z.strictObject({ ids, delete: z.literal(true) });
  const change = update && z.strictObject({ ids, set: update });
  const body = change === undefined ? remove : canDelete ? z.union([change, remove]) : change;
  return body.meta({
    id: `ChangeMany${type}`,
    examples: [canDelete ? { ids: [example], delete: true } : { ids: [example], set: {} }],
  });
});
