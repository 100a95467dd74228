import { exportColumns, type ExportFormat } from '../store/queries.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import type { Resources } from '../../../platform/resources.ts';
import { parseFilters } from './filters.ts';
import type { AnalyticsResources } from '../resources.ts';
import type { ExportBody } from './schemas.export.ts';
import { requireSite } from '../sites/sites.ts';

const progressMs = 10_000;

export const contentTypes: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/**
 * Iterates over the first part and the others, and logs the progress. Not a generator, whose
 * `return` would not reach `parts` if nothing had been read yet.
 */
function withProgress(
  { clock, logger }: Resources,
  parts: AsyncGenerator<Uint8Array, number>,
  first: IteratorResult<Uint8Array, number>,
): AsyncIterableIterator<Uint8Array> {
  const startedAt = clock.now();
  let loggedAt = startedAt;
  let bytes = 0;
  let ready: IteratorResult<Uint8Array, number> | undefined = first;
  return {
    async next() {
      const step = ready ?? (await parts.next());
      ready = undefined;
      const now = clock.now();
      if (step.done === true) {
        logger.info({ rows: step.value, bytes, ms: now - startedAt }, 'export finished');
        return { done: true, value: undefined };
      }
      bytes += step.value.length;
      if (now - loggedAt >= progressMs) {
        loggedAt = now;
        logger.info({ bytes, ms: now - startedAt }, 'export in progress');
      }
      return step;
    },
    async return() {
      await parts.return(0);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Exports raw events from the store. */
export function createExports(resources: AnalyticsResources) {
  const { queries, sites } = resources;
  return {
    /**
     * Returns the export in parts. Rejects before the first part if the query is rejected; the
     * iterator throws if the store fails midway.
     */
    async exportEvents(
      body: ExportBody,
      by: Requester,
    ): Promise<{ format: ExportFormat; parts: AsyncIterableIterator<Uint8Array> }> {
      const {
        format = 'ndjson',
        site_id: key,
        from,
        to,
        filter,
        columns = exportColumns,
      } = body ?? {};
      const parts = queries.export(
        {
          siteId: key === undefined ? undefined : requireSite(sites, key).id,
          sites: sites.list().map(({ id, key: name }) => [id, name] as const),
          from: time(from),
          to: time(to),
          filters: parseFilters(filter),
          columns: [...new Set(['id' as const, ...columns])],
          format,
        },
        by,
      );
      return { format, parts: withProgress(resources, parts, await parts.next()) };
    },
  };
}
