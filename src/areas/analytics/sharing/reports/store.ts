import type { Selectable } from 'kysely';
import type { Tables } from '../../../../platform/database/tables.ts';
import type { Database } from '../../../../platform/database/database.ts';

export type ReportRecord = Selectable<Tables['analytics_reports']>;
export type DueReport = ReportRecord & { site_id: string };

const selectWithSite = (db: Database) =>
  db
    .selectFrom('analytics_reports')
    .innerJoin('sites', 'sites.id', 'analytics_reports.site')
    .selectAll('analytics_reports')
    .select('sites.site_id');

/** Queries for sending reports. */
const createDelivery = (db: Database) => ({
  /** Returns the next active reports after the id `after`, except those of closed sites. */
  page: (after: string, limit: number): Promise<DueReport[]> =>
    selectWithSite(db)
      .where('unsubscribed_at', 'is', null)
      .where('sites.closed', '=', false)
      .where('analytics_reports.id', '>', after)
      .orderBy('analytics_reports.id')
      .limit(limit)
      .execute(),

  /** Records that the period beginning on `first` was reported, unless a later one was. */
  async markSent(id: string, first: string): Promise<void> {
    await db
      .updateTable('analytics_reports')
      .set({ last_sent_for: first })
      .where('id', '=', id)
      .where((is) => is.or([is('last_sent_for', 'is', null), is('last_sent_for', '<', first)]))
      .execute();
  },

  /** Idempotent. */
  async unsubscribe(id: string, now: Date): Promise<void> {
    await db
      .updateTable('analytics_reports')
      .set({ unsubscribed_at: now })
      .where('id', '=', id)
      .where('unsubscribed_at', 'is', null)
      .execute();
  },
});

/** Reads and writes the table `analytics_reports`. */
export const createReportStore = (db: Database) => ({
  ...createDelivery(db),

  /** Lists the reports of a site, newest first. */
  list: (site: number, within = db): Promise<ReportRecord[]> =>
    within
      .selectFrom('analytics_reports')
      .selectAll()
      .where('site', '=', site)
      .orderBy('id', 'desc')
      .execute(),

  /** Returns false if the site has one for this address and frequency. */
  async insert(transaction: Database, report: ReportRecord): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('analytics_reports')
      .values(report)
      .onConflict((conflict) => conflict.columns(['site', 'email', 'frequency']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  },

  find: (siteKey: string, id: string): Promise<DueReport | undefined> =>
    selectWithSite(db)
      .where('analytics_reports.id', '=', id)
      .where('sites.site_id', '=', siteKey)
      .executeTakeFirst(),

  async delete(transaction: Database, id: string): Promise<boolean> {
    const { numDeletedRows } = await transaction
      .deleteFrom('analytics_reports')
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});

export type ReportStore = ReturnType<typeof createReportStore>;
