import type { Clock } from '../../../lib/clock.ts';
import { exportColumns, type ExportFormat } from '../store/questions.ts';
import type { Requester } from '../../../platform/http/requester.ts';
import type { Logger } from 'pino';
import { analyticsErrors } from '../errors.ts';
import { filtersOf } from './filters.ts';
import type { AnalyticsQuestions } from './questions.ts';
import type { ExportBody } from './schemas.dashboard.ts';
import type { Sites } from '../sites/sites.ts';

const progressMs = 10_000;

export const contentTypes: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

type Parts = AsyncGenerator<Uint8Array, number>;

/** Raw events out of the store. */
export function createExports({
  questions,
  sites,
  clock,
  logger,
}: {
  questions: Pick<AnalyticsQuestions, 'export'>;
  sites: Sites;
  clock: Clock;
  logger: Logger;
}) {
  function progress() {
    const began = clock.now();
    let told = began;
    let bytes = 0;
    return {
      add: (part: Uint8Array): void => {
        bytes += part.length;
        if (clock.now() - told < progressMs) return;
        told = clock.now();
        logger.info({ bytes, ms: told - began }, 'export under way');
      },
      finish: (rows: number): void =>
        logger.info({ rows, bytes, ms: clock.now() - began }, 'export finished'),
    };
  }

  /**
   * The first part and the others. No generator: `return` must reach the store's parts also when
   * nothing was read yet.
   */
  function withProgress(
    parts: Parts,
    first: IteratorResult<Uint8Array, number>,
  ): AsyncIterableIterator<Uint8Array> {
    const { add, finish } = progress();
    let ready: IteratorResult<Uint8Array, number> | undefined = first;
    return {
      async next() {
        const step = ready ?? (await parts.next());
        ready = undefined;
        if (step.done === true) {
          finish(step.value);
          return { done: true, value: undefined };
        }
        add(step.value);
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

  return {
    /**
     * The export in parts. Rejects before the first part when the question is refused; throws in
     * between when the store fails.
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
      const site = key === undefined ? undefined : sites.peek(key);
      if (key !== undefined && site === undefined) throw analyticsErrors.site_unknown();
      const parts = questions.export(
        {
          siteId: site?.id,
          sites: sites.list().map(({ id, key: name }) => [id, name] as const),
          from: time(from),
          to: time(to),
          filters: filtersOf(filter),
          columns: [...new Set(['id' as const, ...columns])],
          format,
        },
        by,
      );
      return { format, parts: withProgress(parts, await parts.next()) };
    },
  };
}

export type Exports = ReturnType<typeof createExports>;
