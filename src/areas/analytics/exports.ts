import type { Clock } from '../../lib/clock.ts';
import { exportColumns, type ExportFormat } from '../../platform/events/questions.ts';
import type { Logger } from 'pino';
import { storeRefusal } from './dashboard.ts';
import { analyticsErrors } from './errors.ts';
import type { EventThread } from './event-thread.ts';
import { filtersOf } from './filters.ts';
import type { ExportBody } from './schemas.dashboard.ts';
import type { Sites } from './sites.ts';

const progressMs = 10_000;

export const contentTypes: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/** Raw events out of the store. */
export function createExports({ thread, sites, clock, logger }: { thread: EventThread; sites: Sites; clock: Clock; logger: Logger }) {
  async function* withProgress(parts: AsyncGenerator<Uint8Array, number>, first: IteratorResult<Uint8Array, number>): AsyncGenerator<Uint8Array> {
    const began = clock.now();
    let told = began;
    let bytes = 0;
    for (let step = first; ; step = await parts.next()) {
      if (step.done === true) {
        logger.info({ rows: step.value, bytes, ms: clock.now() - began }, 'export finished');
        return;
      }
      yield step.value;
      bytes += step.value.length;
      if (clock.now() - told < progressMs) continue;
      told = clock.now();
      logger.info({ bytes, ms: told - began }, 'export under way');
    }
  }

  return {
    /** The export in parts. Rejects before the first part when the question is refused; throws in between when the store fails. */
    async start(body: ExportBody): Promise<{ format: ExportFormat; parts: AsyncGenerator<Uint8Array> }> {
      const { format = 'ndjson', site_id: key, from, to, filter, columns = exportColumns } = body ?? {};
      const site = key === undefined ? undefined : sites.peek(key);
      if (key !== undefined && site === undefined) throw analyticsErrors.site_unknown();
      const parts = thread.export({
        siteId: site?.id,
        sites: sites.list().map(({ id, key: name }) => [id, name] as const),
        from: time(from),
        to: time(to),
        filters: filtersOf(filter),
        columns: [...new Set(['id' as const, ...columns])],
        format,
      });
      try {
        return { format, parts: withProgress(parts, await parts.next()) };
      } catch (cause) {
        throw storeRefusal(cause);
      }
    },
  };
}

export type Exports = ReturnType<typeof createExports>;
