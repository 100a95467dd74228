import { hasAnyRole } from '../../../../lib/access.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { consolePath } from '../../../../lib/site-paths.ts';
import { systemRequester } from '../../../../platform/http/requests/requester.ts';
import { changeOf } from '../../figures/dashboard.ts';
import { formatDays, type Days, duePeriod, type Frequency, type ReportPeriod } from './periods.ts';
import type { DueReport, ReportStore } from './store.ts';
import { reportContent, type ReportContent } from './content.ts';
import type { createUnsubscribeTokens } from './tokens.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';
import type { AnalyticsResources } from '../../resources.ts';
import { texts } from '../../texts/en/reports.ts';

/** What reports are sent with. */
export type ReportResources = Pick<
  AnalyticsResources,
  | 'db'
  | 'sites'
  | 'dashboards'
  | 'messages'
  | 'channels'
  | 'users'
  | 'audit'
  | 'keys'
  | 'clock'
  | 'logger'
  | 'baseOrigin'
>;

const pageSize = 200;
const expiresAfterMs = dayMs;
const rowsPerList = 5;
const firstId = '00000000-0000-0000-0000-000000000000';
/** Steps of the series: seven days, or the weeks of a month. */
const intervals = { weekly: 'day', monthly: 'week' } as const satisfies Record<Frequency, string>;

/** Returns the content of a report for a period. */
type GetContent = (report: DueReport, period: ReportPeriod) => Promise<ReportContent>;

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

/**
 * Creates reports and queues their messages. Each is sent once: the key of the message is derived
 * from report and period, and the row records the last sent period.
 */
export function createReportSender(
  { sites, dashboards, messages, channels, users, clock, logger, baseOrigin }: ReportResources,
  store: ReportStore,
  tokens: ReturnType<typeof createUnsubscribeTokens>,
) {
  const requester = systemRequester('reports');

  return {
    /** Sends every due report. Rejects at the end if any could not be sent. */
    async sendDueReports(): Promise<void> {
      if (!channels.email) return;
      const getCachedContent = cacheContents(getContent);
      let failed = 0;
      let page = await store.page(firstId, pageSize);
      while (page.length > 0) {
        for (const report of page)
          await sendIfDue(report, getCachedContent).catch((err: unknown) => {
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
      await sendMessage(report, period, {
        kind: texts.kind[`${report.frequency}Test`],
        key: `analytics-report-test:${report.id}:${Math.floor(now / 60_000)}`,
        content: await getContent(report, period),
      });
    },
  };

  async function sendIfDue(report: DueReport, content: GetContent): Promise<void> {
    const period = duePeriod(report.frequency, report.timezone, clock.now());
    const isSent = report.last_sent_for !== null && report.last_sent_for >= period.first;
    if (isSent || report.created_at.getTime() >= period.endedAt) return;
    await sendMessage(report, period, {
      kind: texts.kind[report.frequency],
      key: `analytics-report:${report.id}:${period.first}`,
      content: await content(report, period),
    });
    // After the message: if the process dies in between, the message is sent again with the same
    // key, which has no effect.
    await store.markSent(report.id, period.first);
  }

  async function getContent(
    { site_id: siteId, timezone, frequency }: DueReport,
    period: ReportPeriod,
  ): Promise<ReportContent> {
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
  }

  async function sendMessage(
    report: DueReport,
    period: ReportPeriod,
    { kind, key, content }: { kind: string; key: string; content: ReportContent },
  ): Promise<void> {
    const { email, site_id: site, frequency, timezone } = report;
    const token = tokens.write(report.id);
    await messages.send({
      channel: 'email',
      to: email,
      template: 'analytics_report',
      key,
      expiresAt: clock.now() + expiresAfterMs,
      params: {
        kind,
        site,
        days: formatDays(period),
        timezone,
        ...content,
        before: texts.comparedWith[frequency],
        ...((await hasConsoleAccess(email)) && { url: consoleUrl(site) }),
        unsubscribe: new URL(`/analytics/reports/unsubscribe?token=${token}`, baseOrigin).href,
      },
    });
  }

  /** Most recipients have no account. They could open a share link, but only its hash is stored. */
  async function hasConsoleAccess(email: string): Promise<boolean> {
    const owner = await users.ownerOf({ kind: 'email', key: email });
    return owner?.disabledAt === null && hasAnyRole(owner.roles);
  }

  function consoleUrl(siteId: string): string {
    const page = new URL(`${consolePath}analytics`, baseOrigin);
    page.searchParams.set('site_id', siteId);
    return page.href;
  }
}
