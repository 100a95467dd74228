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
import { reportContent, type ReportContent } from './report-content.ts';
import type { createUnsubscribeTokens } from './tokens.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';
import type { Sites } from '../../sites/sites.ts';
import { texts } from '../../texts/en/reports.ts';

export interface ReportSenderDeps {
  store: ReportStore;
  sites: Pick<Sites, 'get'>;
  dashboards: Dashboards;
  messages: Pick<Messages, 'send'>;
  tokens: ReturnType<typeof createUnsubscribeTokens>;
  clock: Clock;
  logger: Logger;
  baseOrigin: string;
  /** Whether the owner of this email address has access to the console. */
  hasConsoleAccess: (email: string) => Promise<boolean>;
  /** Whether email can be sent. */
  isEmailConfigured: boolean;
}

const pageSize = 200;
const expiresAfterMs = dayMs;
const rowsPerList = 5;
const firstId = '00000000-0000-0000-0000-000000000000';
/** Steps of the series: seven days, or the weeks of a month. */
const intervals = { weekly: 'day', monthly: 'week' } as const satisfies Record<Frequency, string>;

/** Returns the content of a report for a period. */
type GetContent = (report: DueReport, period: ReportPeriod) => Promise<ReportContent>;

function createGetContent({ sites, dashboards }: ReportSenderDeps): GetContent {
  const requester = systemRequester('reports');
  return async ({ site_id: siteId, timezone, frequency }, period) => {
    const getView = ({ first: from, last: to }: Days): Promise<DashboardView> =>
      dashboards.getDashboard(
        {
          site_id: siteId,
          period: 'custom',
          from,
          to,
          timezone,
          interval: intervals[frequency],
          bots: false,
          limit: rowsPerList,
        },
        requester,
      );
    // Loads the site, which another replica may have registered.
    await sites.get(siteId);
    const [now, before] = await Promise.all([getView(period), getView(period.before)]);
    const change = changeOf(now.totals, before.totals);
    return reportContent({ now, before, change }, { frequency, timezone }, period);
  };
}

/** Caches contents, so that recipients of the same figures share one query. */
function cacheContents(getContent: GetContent): GetContent {
  const contents = new Map<string, Promise<ReportContent>>();
  return (report, period) => {
    const { site, timezone, frequency } = report;
    const key = JSON.stringify([site, timezone, frequency, period.first, period.last]);
    const content = contents.get(key) ?? getContent(report, period);
    contents.set(key, content);
    return content;
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
  { kind, key, content }: { kind: string; key: string; content: ReportContent },
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
      ...content,
      before: texts.comparedWith[report.frequency],
      ...link,
      unsubscribe: new URL(`/analytics/reports/unsubscribe?token=${token}`, baseOrigin).href,
    },
  });
}

async function sendIfDue(
  deps: ReportSenderDeps,
  report: DueReport,
  getContent: GetContent,
): Promise<void> {
  const period = duePeriod(report.frequency, report.timezone, deps.clock.now());
  const isSent = report.last_sent_for !== null && report.last_sent_for >= period.first;
  if (isSent || report.created_at.getTime() >= period.endedAt) return;
  await sendMessage(deps, report, period, {
    kind: texts.kind[report.frequency],
    key: `analytics-report:${report.id}:${period.first}`,
    content: await getContent(report, period),
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
  const getContent = createGetContent(deps);

  return {
    /** Sends every due report. Rejects at the end if any could not be sent. */
    sendDueReports: async (): Promise<void> => {
      if (!isEmailConfigured) return;
      const getCachedContent = cacheContents(getContent);
      let failed = 0;
      let page = await store.page(firstId, pageSize);
      while (page.length > 0) {
        for (const report of page)
          await sendIfDue(deps, report, getCachedContent).catch((err: unknown) => {
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
        kind: texts.kind[`${report.frequency}Test`],
        key: `analytics-report-test:${report.id}:${Math.floor(now / 60_000)}`,
        content: await getContent(report, period),
      });
    },
  };
}
