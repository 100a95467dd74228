import { reportContent } from '../../../src/areas/analytics/sharing/reports/content.ts';
import { texts as reportTexts } from '../../../src/areas/analytics/texts/en/reports.ts';
import type { DashboardView } from '../../../src/areas/analytics/figures/schemas.dashboard.ts';
import { createNotices } from '../../../src/areas/identity/devices/approval/notices.ts';
import type { TemplateName, TemplateParams } from '../../../src/areas/comms/templates/params.ts';
import { texts as factorTexts } from '../../../src/areas/identity/factors/texts/en/emails.ts';

export interface Sample {
  name: string;
  template: TemplateName;
  params: TemplateParams[TemplateName];
}

const token = `018f0000-0000-7000-8000-000000000001.${'a'.repeat(43)}`;

const totals = {
  visitors: 2389,
  visits: 2877,
  pageviews: 6120,
  events: 6950,
  bounce_rate: 36.6,
  visit_duration_mean: 68,
  visit_duration_median: 30,
  views_per_visit: 2.1,
};
const before = { ...totals, visitors: 2370, visits: 2901, bounce_rate: 37, pageviews: 6120 };

const visits = (rows: readonly (readonly [string | null, number])[]) =>
  rows.map(([value, visitors]) => ({
    value,
    visitors,
    visits: visitors + 10,
    bounce_rate: 30,
  }));

function dashboard(starts: readonly string[]): DashboardView {
  const visitors = [402, 371, 388, 290, 344, 401, 193];
  const empty = { entry_pages: [], exit_pages: [], referrers: [], channels: [], campaigns: [] };
  const rest = { browsers: [], operating_systems: [], devices: [], languages: [] };
  return {
    ...empty,
    ...rest,
    site_id: 'shop.example',
    period: { name: 'custom', from: '', to: '', timezone: 'Europe/Berlin', interval: 'day' },
    totals,
    compared: null,
    change: null,
    series: starts.map((start, index) => ({
      ...totals,
      start,
      visitors: visitors[index] ?? 0,
      partial: false,
    })),
    visitors_now: 4,
    pending_events: 0,
    pages: (
      [
        ['/', 1204, 1510],
        ['/pricing', 402, 611],
        ['/blog/how-we-measure-visits-without-cookies-and-why-it-matters-for-your-shop', 120, 141],
        ['/docs', 98, 230],
        ['/about?a=1&b=<2>', 1, 1],
      ] as const
    ).map(([value, count, pageviews]) => ({
      value,
      visitors: count,
      pageviews,
      engaged_seconds: null,
      scroll_depth: null,
    })),
    sources: visits([
      [null, 1104],
      ['Google', 690],
      ['news.example.org', 88],
    ]),
    countries: visits([
      ['DE', 1500],
      ['US', 420],
      [null, 11],
    ]),
    events: [],
    left_out: { bot_events: 0, dropped: {} },
  };
}

function report(frequency: 'weekly' | 'monthly', link: { url?: string }): Sample {
  const starts =
    frequency === 'weekly'
      ? Array.from({ length: 7 }, (_, day) => `2026-10-${18 + day}T22:00:00.000Z`)
      : [
          '2026-09-27T22:00:00.000Z',
          ...[4, 11, 18].map((day) => `2026-10-${String(day).padStart(2, '0')}T22:00:00.000Z`),
          '2026-10-25T23:00:00.000Z',
        ];
  const now = dashboard(starts);
  const change = { ...totals, visitors: 0.8016, visits: -0.827, pageviews: 0 };
  const days =
    frequency === 'weekly'
      ? { first: '2026-10-19', last: '2026-10-25' }
      : { first: '2026-10-01', last: '2026-10-31' };
  return {
    name: `report-${frequency}`,
    template: 'analytics_report',
    params: {
      kind: reportTexts.kind[frequency],
      site: 'shop.example',
      days: frequency === 'weekly' ? 'Oct 19 – 25, 2026' : 'Oct 1 – 31, 2026',
      timezone: 'Europe/Berlin',
      before: reportTexts.comparedWith[frequency],
      ...reportContent(
        {
          now,
          change: { ...change, events: 3, visit_duration_mean: 5 },
          before: { totals: before },
        },
        { frequency, timezone: 'Europe/Berlin' },
        days,
      ),
      ...link,
      unsubscribe: `https://svc.example/analytics/reports/unsubscribe?token=${token}`,
    },
  };
}

const device = {
  id: 'device',
  user_id: 'user',
  state: 'pending' as const,
  reasons: ['new_country'],
  name: 'Zoë’s <laptop> & "phone"',
  country: 'DE',
};

/** The notices about devices, as their area sends them. */
async function deviceNotices(): Promise<Sample[]> {
  const samples: Sample[] = [];
  let name = '';
  const notices = createNotices({
    messages: {
      send: async ({ template, params }) => {
        samples.push({ name, template, params });
        return { id: 'x' };
      },
    },
    findUser: async () => ({ identities: [{ kind: 'email', value: 'zoe@example.org' }] }) as never,
    baseUrl: 'https://svc.example',
    clock: { now: () => Date.UTC(2026, 9, 26) },
    logger: { warn: () => undefined } as never,
  });
  const about = (changes: object) => ({ ...device, ...changes }) as never;
  for (const [title, send] of [
    ['device-new', () => notices.enrolled(about({}))],
    ['device-first', () => notices.enrolled(about({ state: 'cleared' }))],
    ['device-approved', () => notices.decided(about({ state: 'cleared' }))],
    ['device-denied', () => notices.decided(about({ state: 'denied' }))],
    ['device-suspended', () => notices.suspended(about({}))],
    ['device-suspended-by-admin', () => notices.suspended(about({ reasons: ['admin'] }))],
    ['device-restored', () => notices.restored(about({ country: null }))],
    ['device-removed', () => notices.revoked(about({ country: null }))],
    ['devices-removed', () => notices.allRevoked('user', 3)],
  ] as const) {
    name = title;
    await send();
  }
  return samples;
}

const status = {
  url: 'https://svc.example/status/incidents/018f0000-0000-7000-8000-000000000001',
  unsubscribe: `https://svc.example/status/unsubscribe?token=${token}`,
};

const waitlist = {
  unsubscribe: `https://svc.example/waitlist/leave?token=${token}`,
  sender: 'Acme Ltd, 1 Main Street, Springfield',
};

const sample = <Name extends TemplateName>(
  name: string,
  template: Name,
  params: TemplateParams[Name],
): Sample => ({ name, template, params });

/** Every mail that the service sends, with names that need escaping. */
export async function sampleEmails(): Promise<Sample[]> {
  return [
    sample('code', 'sign_in_code', { code: '480153', minutes: '10', host: 'svc.example' }),
    sample('signup', 'signup_confirm', {
      url: `https://svc.example/signup/confirm?token=${token}`,
      hours: '24',
    }),
    sample('contact reply', 'contact_reply', {
      subject: 'Re: Invoice <May>',
      body:
        'Hello Ada,\n\nyou find all invoices under Settings, Billing. The button at the end of ' +
        'each line downloads the PDF.',
      quote: 'Where can I download the invoice?\nI looked at [link] & found <nothing>.',
    }),
    sample('contact notice', 'contact_notice', {
      headline: '7 new messages',
      messages: [
        { label: 'Ada Lovelace', value: 'Where can I download the invoice for May? I need it…' },
        { label: 'Grace <b>Hopper', value: 'The <script> does not load & the page stays empty.' },
      ],
      more: '5 more are in the inbox.',
      url: 'https://svc.example/api/svc/console/contact',
    }),
    sample('waitlist confirmation', 'waitlist_confirm', {
      ...waitlist,
      url: `https://svc.example/waitlist/verify?token=${token}`,
      hours: '24',
    }),
    sample('waitlist place', 'waitlist_place', {
      ...waitlist,
      url: `https://svc.example/waitlist/status#${token}`,
    }),
    sample('waitlist invitation', 'waitlist_invitation', {
      ...waitlist,
      url: `https://svc.example/waitlist/${token}`,
    }),
    sample('invitation', 'invitation', {
      url: `https://svc.example/invitation?token=${'a'.repeat(43)}`,
      until: 'December 5',
      inviter: 'Ada Lovelace',
      role: 'Admin',
      note: 'Welcome to the <team>.\nAsk me if anything is unclear.',
    }),
    sample('test message', 'test_message', {
      to: 'ada@shop.example',
      at: 'Nov 28, 2026, 14:05 UTC',
      url: 'https://svc.example/api/svc/console/settings/messages',
    }),
    sample('backup-code', 'account_notice', factorTexts.backupCodeUsed),
    ...(await deviceNotices()),
    sample('status-confirm', 'status_confirm', {
      url: `https://svc.example/status/confirm?token=${token}`,
      hours: '24',
    }),
    sample('status-incident', 'status_update', {
      ...status,
      name: 'Requests fail & time out for <some> customers',
      phase: 'Identified',
      components: 'API, Dashboard, "Webhooks"',
      body: 'A database node failed.\nTraffic moves to another one.\n\nNext update by 14:30 UTC.',
    }),
    sample('status-maintenance', 'status_update', {
      ...status,
      name: 'Database upgrade',
      phase: 'Scheduled',
      components: '',
      body: 'Scheduled',
    }),
    report('weekly', { url: 'https://svc.example/api/svc/console/analytics?site_id=a&b=c' }),
    report('monthly', {}),
  ];
}
