import { z } from 'zod';
import { uuidv7 } from '../../../../lib/ids.ts';
import { emailIdentity } from '../../../../lib/identifiers.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../../platform/validation/validation-error.ts';
import type { AuditActor } from '../../../audit/service.ts';
import { createReportSender, type ReportResources } from './sender.ts';
import { createReportStore, type DueReport, type ReportRecord } from './store.ts';
import { createUnsubscribeTokens } from './tokens.ts';
import type { CreateReportBody, ReportView } from '../schemas.ts';
import { sharingErrors } from '../errors.ts';
import { siteEntry } from '../../sites/audit-entry.ts';
import { findSiteId, lockSiteId } from '../../sites/store.ts';

const maxPerSite = 50;

/** A report that was deleted, with all that brings it back. */
export const RemovedReport = z.object({
  id: z.uuid(),
  email: z.string(),
  frequency: z.enum(['weekly', 'monthly']),
  timezone: z.string(),
  created_by: z.string(),
  created_at: z.coerce.date(),
  last_sent_for: z.string().nullable(),
  unsubscribed_at: z.coerce.date().nullable(),
});
export type RemovedReport = z.output<typeof RemovedReport>;

function toView(report: ReportRecord, siteId: string): ReportView {
  const { id, email, frequency, timezone, created_by, created_at, last_sent_for, unsubscribed_at } =
    report;
  return {
    id,
    site_id: siteId,
    email,
    frequency,
    timezone,
    created_by,
    created_at: created_at.toISOString(),
    last_sent_for,
    unsubscribed_at: unsubscribed_at?.toISOString() ?? null,
  };
}

const entryOf = (
  verb: 'created' | 'deleted' | 'tested',
  { id, frequency }: ReportRecord,
  siteId: string,
  by: AuditActor,
) => siteEntry(`analytics.report_${verb}`, id, { site_id: siteId, frequency }, by);

/** Manages reports by email. The audit log has the ids of reports, but never their addresses. */
export function createReports(resources: ReportResources, store = createReportStore(resources.db)) {
  const { db, audit, clock, channels, keys } = resources;
  const tokens = createUnsubscribeTokens(keys('analytics-report-unsubscribe'));
  const sender = createReportSender(resources, store, tokens);

  return {
    sendDueReports: () => sender.sendDueReports(),

    /** Newest first, including unsubscribed ones. Throws `analytics.site_unknown`. */
    async listReports(siteId: string): Promise<ReportView[]> {
      const site = await findSiteId(db, siteId);
      return (await store.list(site)).map((report) => toView(report, siteId));
    },

    /**
     * Throws `analytics.email_not_configured`, `.site_unknown`, `.report_exists`,
     * `.too_many_reports`, RequestValidationError.
     */
    async createReport(siteId: string, body: CreateReportBody, by: AuditActor) {
      requireEmail();
      return toView(await add(siteId, newReport(body, by), by), siteId);
    },

    /** Returns what was deleted, for `restoreReport`. Throws `analytics.report_not_found`. */
    async deleteReport(siteId: string, id: string, by: AuditActor): Promise<RemovedReport> {
      const report = await requireReport(siteId, id);
      await db.transaction().execute(async (transaction) => {
        if (!(await store.delete(transaction, id))) throw sharingErrors.report_not_found();
        await audit.recordIn(transaction, [entryOf('deleted', report, siteId, by)]);
      });
      return RemovedReport.parse(report);
    },

    /** Brings a deleted report back, with its id. Throws as `createReport` does. */
    async restoreReport(siteId: string, report: RemovedReport, by: AuditActor): Promise<void> {
      await add(siteId, report, by);
    },

    /** Throws `analytics.email_not_configured`, `.report_not_found`, `.report_ended`. */
    async sendTestReport(siteId: string, id: string, by: AuditActor): Promise<void> {
      requireEmail();
      const report = await requireReport(siteId, id);
      if (report.unsubscribed_at !== null) throw sharingErrors.report_ended();
      await sender.sendTest(report);
      await audit.record(entryOf('tested', report, siteId, by));
    },

    /** Ends the report of this token. Idempotent. Throws `analytics.report_link_invalid`. */
    async unsubscribe(token: string): Promise<void> {
      const id = tokens.read(token);
      if (id === undefined) throw sharingErrors.report_link_invalid();
      await store.unsubscribe(id, new Date(clock.now()));
    },
  };

  function add(siteId: string, report: RemovedReport, by: AuditActor): Promise<ReportRecord> {
    return db.transaction().execute(async (transaction) => {
      const site = await lockSiteId(transaction, siteId);
      if ((await store.list(site, transaction)).length >= maxPerSite)
        throw sharingErrors.too_many_reports();
      const row = { ...report, site };
      if (!(await store.insert(transaction, row))) throw sharingErrors.report_exists();
      await audit.recordIn(transaction, [entryOf('created', row, siteId, by)]);
      return row;
    });
  }

  function requireEmail(): void {
    if (!channels.email) throw sharingErrors.email_not_configured();
  }

  async function requireReport(siteId: string, id: string): Promise<DueReport> {
    const report = await store.find(siteId, id);
    if (report === undefined) throw sharingErrors.report_not_found();
    return report;
  }

  function newReport(
    { email, frequency, timezone }: CreateReportBody,
    by: AuditActor,
  ): RemovedReport {
    const identity = emailIdentity(email);
    if (identity === undefined)
      throw new RequestValidationError([valueError(['body', 'email'], 'must be an email address')]);
    const now = clock.now();
    return {
      id: uuidv7(now),
      email: identity.key,
      frequency,
      timezone,
      created_by: by.actor.id ?? by.actor.kind,
      created_at: new Date(now),
      last_sent_for: null,
      unsubscribed_at: null,
    };
  }
}

export type Reports = ReturnType<typeof createReports>;
