import type { Selectable } from 'kysely';
import type { AnalyticsReportsTable } from '../tables.ts';
import type { Database } from '../../../../platform/database/database.ts';

export type ReportRecord = Selectable<AnalyticsReportsTable>;
export type DueReport = ReportRecord & { site_id: string };

const columns = [
  'id',
  'site',
  'email',
  'frequency',
  'timezone',
  'created_by',
  'created_at',
  'last_sent_for',
  'unsubscribed_at',
] as const;

/** The rows of `analytics_reports`. */
export function createReportStore(db: Database) {
  return {
    /** Newest first. */
    list: (site: number): Promise<ReportRecord[]> =>
      db
        .selectFrom('analytics_reports')
        .select(columns)
        .where('site', '=', site)
        .orderBy('id', 'desc')
        .execute(),

    async count(within: Database, site: number): Promise<number> {
      const { count } = await within
        .selectFrom('analytics_reports')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('site', '=', site)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** False when the site has one for this address and frequency. */
    async insert(within: Database, report: ReportRecord): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await within
        .insertInto('analytics_reports')
        .values(report)
        .onConflict((conflict) => conflict.columns(['site', 'email', 'frequency']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    find: (siteKey: string, id: string): Promise<DueReport | undefined> =>
      db
        .selectFrom('analytics_reports')
        .innerJoin('sites', 'sites.id', 'analytics_reports.site')
        .select([
          ...columns.map((column) => `analytics_reports.${column}` as const),
          'sites.site_id',
        ])
        .where('analytics_reports.id', '=', id)
        .where('sites.site_id', '=', siteKey)
        .executeTakeFirst(),

    async remove(within: Database, id: string): Promise<boolean> {
      const { numDeletedRows } = await within
        .deleteFrom('analytics_reports')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** The next ones after `after`, by id, that somebody still gets. Closed sites have no news. */
    page: (after: string, most: number): Promise<DueReport[]> =>
      db
        .selectFrom('analytics_reports')
        .innerJoin('sites', 'sites.id', 'analytics_reports.site')
        .select([
          ...columns.map((column) => `analytics_reports.${column}` as const),
          'sites.site_id',
        ])
        .where('unsubscribed_at', 'is', null)
        .where('sites.closed', '=', false)
        .where('analytics_reports.id', '>', after)
        .orderBy('analytics_reports.id')
        .limit(most)
        .execute(),

    /** Notes that the period that begins on this day was reported, unless a later one was. */
    async markSent(id: string, first: string): Promise<void> {
      await db
        .updateTable('analytics_reports')
        .set({ last_sent_for: first })
        .where('id', '=', id)
        .where((is) => is.or([is('last_sent_for', 'is', null), is('last_sent_for', '<', first)]))
        .execute();
    },

    /** Doing it again changes nothing. */
    async unsubscribe(id: string, now: Date): Promise<void> {
      await db
        .updateTable('analytics_reports')
        .set({ unsubscribed_at: now })
        .where('id', '=', id)
        .where('unsubscribed_at', 'is', null)
        .execute();
    },
  };
}

export type ReportStore = ReturnType<typeof createReportStore>;
