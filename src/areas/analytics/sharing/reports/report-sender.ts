import type { Logger } from 'pino';
import type { Clock } from '../../../../lib/clock.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { consolePath } from '../../../../lib/site-paths.ts';
import { systemRequester } from '../../../../platform/http/requester.ts';
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
import type { createUnsubscribeTokens } from './unsubscribe-tokens.ts';
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
  /** Whether whoever reads mail at this address may enter the console. */
  hasConsoleAccess: (email: string) => Promise<boolean>;
  /** Whether e-mail can be sent. */
  isEmailConfigured: boolean;
}

const pageSize = 200;
const newsMs = dayMs;
const top = 5;
const beforeAll = '00000000-0000-0000-0000-000000000000';
const names: Record<Frequency, string> = { weekly: 'Weekly report', monthly: 'Monthly report' };

type Figures = (report: DueReport, period: ReportPeriod) => Promise<string>;

/**
 * Makes reports and hands them over. Each is sent once: its message has a key by report and period,
 * and the row says what was sent last.
 */
export function createReportSender({
  store,
  sites,
  dashboards,
  messages,
  tokens,
  clock,
  logger,
  baseOrigin,
  hasConsoleAccess: opensConsole,
  isEmailConfigured: isOpen,
}: ReportSenderDeps) {
  const asReports = systemRequester('reports');
  const viewOf = (
    siteId: string,
    timezone: string,
    { first, last }: Days,
  ): Promise<DashboardView> =>
    dashboards.getDashboard(
      {
        site_id: siteId,
        period: 'custom',
        from: first,
        to: last,
        timezone,
        bots: false,
        limit: top,
      },
      asReports,
    );

  async function textOf(
    { site_id: siteId, timezone }: DueReport,
    period: ReportPeriod,
  ): Promise<string> {
    // Another replica may have registered it.
    await sites.get(siteId);
    const [now, before] = await Promise.all([
      viewOf(siteId, timezone, period),
      viewOf(siteId, timezone, period.before),
    ]);
    return reportText({ ...now, change: changeOf(now.totals, before.totals) });
  }

  /** The same figures are asked for once, however many get them. */
  function figuresOnce(): Figures {
    const known = new Map<string, Promise<string>>();
    return (report, period) => {
      const key = JSON.stringify([report.site, report.timezone, period.first, period.last]);
      const text = known.get(key) ?? textOf(report, period);
      known.set(key, text);
      return text;
    };
  }

  function figuresPage({ site_id: siteId }: DueReport): string {
    const page = new URL(`${consolePath}analytics`, baseOrigin);
    page.searchParams.set('site_id', siteId);
    return page.href;
  }

  // Reports go to any address, and most readers have no account. A share link would open for them,
  // but only its hash is stored.
  async function send(
    report: DueReport,
    period: ReportPeriod,
    body: string,
    { key, isTest = false }: { key: string; isTest?: boolean },
  ): Promise<void> {
    const link = (await opensConsole(report.email)) ? { url: figuresPage(report) } : {};
    await messages.send({
      channel: 'email',
      to: report.email,
      template: 'analytics_report',
      key,
      expiresAt: clock.now() + newsMs,
      params: {
        kind: isTest
          ? `Test of the ${names[report.frequency].toLowerCase()}`
          : names[report.frequency],
        site: report.site_id,
        days: formatDays(period),
        timezone: report.timezone,
        body,
        before: report.frequency === 'weekly' ? 'the week before' : 'the month before',
        ...link,
        unsubscribe: new URL(
          `/analytics/reports/unsubscribe?token=${tokens.write(report.id)}`,
          baseOrigin,
        ).href,
      },
    });
  }

  async function sendDue(report: DueReport, figures: Figures): Promise<void> {
    const period = duePeriod(report.frequency, report.timezone, clock.now());
    const isSent = report.last_sent_for !== null && report.last_sent_for >= period.first;
    if (isSent || report.created_at.getTime() >= period.endedAt) return;
    await send(report, period, await figures(report, period), {
      key: `analytics-report:${report.id}:${period.first}`,
    });
    // After the message: who dies in between sends it again with the same key, which is the same
    // message.
    await store.markSent(report.id, period.first);
  }

  return {
    /**
     * Sends every report that is due. One that fails does not hold up the others; it throws then at
     * the end, to be tried again.
     */
    async run(): Promise<void> {
      if (!isOpen) return;
      const figures = figuresOnce();
      let failed = 0;
      for (
        let page = await store.page(beforeAll, pageSize);
        page.length > 0;
        page = await store.page(page.at(-1)?.id ?? beforeAll, pageSize)
      ) {
        for (const report of page) {
          await sendDue(report, figures).catch((error: unknown) => {
            failed += 1;
            logger.warn({ err: error, report_id: report.id }, 'a report could not be sent');
          });
        }
      }
      if (failed > 0) throw new Error(`reports that could not be sent: ${failed}`);
    },

    /** Sends one about the newest period at once, at most once in a minute. */
    async sendTest(report: DueReport): Promise<void> {
      const now = clock.now();
      const period = duePeriod(report.frequency, report.timezone, now);
      await send(report, period, await textOf(report, period), {
        key: `analytics-report-test:${report.id}:${Math.floor(now / 60_000)}`,
        isTest: true,
      });
    },
  };
}
