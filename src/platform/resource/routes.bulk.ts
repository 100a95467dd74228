import { z } from 'zod';
import { requestActor } from '../http/requests/request-actor.ts';
import type { ZodApp } from '../http/zod-app.ts';
import { BatchView, runAll } from './batch.ts';
import { resourceLimits } from './resource-limits.ts';
import type { BoundResource, Resource } from './resource.ts';

const ids = z.array(z.uuid().toLowerCase()).min(1).max(500).describe('The entries to change.');

/** The body of a bulk change: deletes entries, or sets the same members of all. */
function bulkBodyOf({ update, canDelete = true, type }: Resource) {
  const example = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
  const remove = z.strictObject({ ids, delete: z.literal(true) });
  const change = update && z.strictObject({ ids, set: update });
  const body = change === undefined ? remove : canDelete ? z.union([change, remove]) : change;
  return body.meta({
    id: `Bulk${type}Body`,
    examples: [canDelete ? { ids: [example], delete: true } : { ids: [example], set: {} }],
  });
}

/** Changes of many entries in one request. */
export function bulkRoute(app: ZodApp, { resource, service }: BoundResource): void {
  const { name, path, tag, texts, canDelete = true, update, notFound, errors } = resource;
  if (!canDelete && update === undefined) return;
  app.post(
    `${path}/bulk`,
    {
      config: resourceLimits.file,
      schema: {
        operationId: `${name}.bulk`,
        summary: `Change several ${texts.many}`,
        description:
          'Sets the members in `set` for all entries in `ids`, at most 500, or deletes them. ' +
          'Each change succeeds or fails on its own.',
        tags: [tag],
        body: bulkBodyOf(resource),
        errors: [notFound, ...(errors?.update ?? []), ...(errors?.delete ?? [])],
        response: { 200: BatchView },
      },
    },
    (request) => {
      const by = requestActor(request);
      const { ids: chosen, ...rest } = request.body;
      const run = async (id: string) =>
        'set' in rest ? service.update?.(id, rest.set, by) : service.delete?.(id, by);
      return runAll([...new Set(chosen)].map((id) => ({ at: { id }, run: () => run(id) })));
    },
  );
}
