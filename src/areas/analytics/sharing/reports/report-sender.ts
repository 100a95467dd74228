import type { Logger } from 'pino';
import type { Clock } from '../../../../lib/clock.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { consolePath } from '../../../../lib/site-paths.ts';
import { systemRequester } from '../../../../platform/http/requests/requester.ts';
import type { Messages } from '../../../comms/service.ts';
import { changeOf, type Dashboards } from '../../figures/dashboard.ts';
import {
  formatDays,
  type Days,
  duePeriod,
  type Frequency,
  type ReportPeriod,
} from './report-periods.ts';
import type { DueReport, ReportStore } from './report-store.ts';
import { reportText } from './report-text.ts';
import type { createUnsubscribeTokens } from './tokens.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';
import type { Sites } from '../../sites/sites.ts';

export interface ReportSenderDeps {
  store: ReportStore;
  sites: Pick<Sites, 'get'>;
  dashboards: Dashboards;
  messages: Pick<Messages, 'send'>;
  tokens: ReturnType<typeof createUnsubscribeTokens>;
  clock: Clock;
  logger: Logger;
  baseOrigin: string;
  /** Whether the owner of this e-mail address has access to the console. */
  hasConsoleAccess: (email: string) => Promise<boolean>;
  /** Whether e-mail can be sent. */
  isEmailConfigured: boolean;
}

const pageSize = 200;
const expiresAfterMs = dayMs;
const rowsPerList = 5;
const firstId = '00000000-0000-0000-0000-000000000000';
const titles: Record<Frequency, string> = { weekly: 'Weekly report', monthly: 'Monthly report' };

/** Returns the text of a report for a period. */
type GetText = (report: DueReport, period: ReportPeriod) => Promise<string>;

function createGetText({ sites, dashboards }: ReportSenderDeps): GetText {
  const requester = systemRequester('reports');
  return async ({ site_id: siteId, timezone }, period) => {
    const getView = ({ first: from, last: to }: Days): Promise<DashboardView> =>
      dashboards.getDashboard(
        { site_id: siteId, period: 'custom', from, to, timezone, bots: false, limit: rowsPerList },
        requester,
      );
    // Loads the site, which another replica may have registered.
    await sites.get(siteId);
    const [now, before] = await Promise.all([getView(period), getView(period.before)]);
    return reportText({ ...now, change: changeOf(now.totals, before.totals) });
  };
}

/** Caches texts, so that recipients of the same figures share one query. */
function cacheTexts(getText: GetText): GetText {
  const texts = new Map<string, Promise<string>>();
  return (report, period) => {
    const key = JSON.stringify([report.site, report.timezone, period.first, period.last]);
    const text = texts.get(key) ?? getText(report, period);
    texts.set(key, text);
    return text;
  };
}

function consoleUrl(baseOrigin: string, { site_id: siteId }: DueReport): string {
  const page = new URL(`${consolePath}analytics`, baseOrigin);
  page.searchParams.set('site_id', siteId);
  return page.href;
}

async function sendMessage(
  { messages, tokens, clock, baseOrigin, hasConsoleAccess }: ReportSenderDeps,
  report: DueReport,
  period: ReportPeriod,
  { kind, key, body }: { kind: string; key: string; body: string },
): Promise<void> {
  // Most recipients have no account. They could open a share link, but only its hash is stored.
  const link = (await hasConsoleAccess(report.email))
    ? { url: consoleUrl(baseOrigin, report) }
    : {};
  const token = tokens.write(report.id);
  await messages.send({
    channel: 'email',
    to: report.email,
    template: 'analytics_report',
    key,
    expiresAt: clock.now() + expiresAfterMs,
    params: {
      kind,
      site: report.site_id,
      days: formatDays(period),
      timezone: report.timezone,
      body,
      before: report.frequency === 'weekly' ? 'the week before' : 'the month before',
      ...link,
      unsubscribe: new URL(`/analytics/reports/unsubscribe?token=${token}`, baseOrigin).href,
    },
  });
}

async function sendIfDue(
  deps: ReportSenderDeps,
  report: DueReport,
  getText: GetText,
): Promise<void> {
  const period = duePeriod(report.frequency, report.timezone, deps.clock.now());
  const isSent = report.last_sent_for !== null && report.last_sent_for >= period.first;
  if (isSent || report.created_at.getTime() >= period.endedAt) return;
  await sendMessage(deps, report, period, {
    kind: titles[report.frequency],
    key: `analytics-report:${report.id}:${period.first}`,
    body: await getText(report, period),
  });
  // After the message: if the process dies in between, the message is sent again with the same key,
  // which has no effect.
  await deps.store.markSent(report.id, period.first);
}

/**
 * Creates reports and queues their messages. Each is sent once: the key of the message is derived
 * from report and period, and the row records the last sent period.
 */
export function createReportSender(deps: ReportSenderDeps) {
  const { store, clock, logger, isEmailConfigured } = deps;
  const getText = createGetText(deps);

  return {
    /** Sends every due report. Rejects at the end if any could not be sent. */
    sendDueReports: async (): Promise<void> => {
      if (!isEmailConfigured) return;
      const getCachedText = cacheTexts(getText);
      let failed = 0;
      let page = await store.page(firstId, pageSize);
      while (page.length > 0) {
        for (const report of page)
          await sendIfDue(deps, report, getCachedText).catch((err: unknown) => {
            failed += 1;
            logger.warn({ err, report_id: report.id }, 'a report could not be sent');
          });
        page = await store.page(page.at(-1)?.id ?? firstId, pageSize);
      }
      if (failed > 0) throw new Error(`reports that could not be sent: ${failed}`);
    },

    /** Sends a report for the latest period immediately, at most once per minute. */
    async sendTest(report: DueReport): Promise<void> {
      const now = clock.now();
      const period = duePeriod(report.frequency, report.timezone, now);
      await sendMessage(deps, report, period, {
        kind: `Test of the ${titles[report.frequency].toLowerCase()}`,
        key: `analytics-report-test:${report.id}:${Math.floor(now / 60_000)}`,
        body: await getText(report, period),
      });
    },
  };
}
