import type { Campaign } from '../../../../src/areas/analytics/links/campaign.ts';

/** A user agent string and the dimensions it must parse to. */
export interface CatalogAgent {
  text: string;
  bot: boolean;
  dimensions: {
    browser?: string;
    browser_version?: string;
    os?: string;
    os_version?: string;
    device: string;
  };
}

const windows = { os: 'Windows', os_version: '10' };
const iOS = { os: 'iOS', os_version: '17.5' };
const webkit = (version: string) => `AppleWebKit/${version} (KHTML, like Gecko)`;

export const agents: readonly CatalogAgent[] = [
  {
    text:
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit('537.36')} ` +
      'Chrome/126.0.0.0 Safari/537.36',
    bot: false,
    dimensions: { browser: 'Chrome', browser_version: '126', ...windows, device: 'desktop' },
  },
  {
    text:
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit('605.1.15')} ` +
      'Version/17.5 Mobile/15E148 Safari/604.1',
    bot: false,
    dimensions: { browser: 'Safari', browser_version: '17', ...iOS, device: 'mobile' },
  },
  {
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
    bot: false,
    dimensions: { browser: 'Firefox', browser_version: '127', os: 'Linux', device: 'desktop' },
  },
];

export const botAgent: CatalogAgent = {
  text: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  bot: true,
  dimensions: { browser: 'Googlebot', browser_version: '2', device: 'unknown' },
};

type OriginDimension = 'hostname' | 'referrer' | 'source' | 'channel' | `utm_${UtmTag}`;
type UtmTag = 'source' | 'medium' | 'campaign' | 'term' | 'content';

/** Where an event came from: the fields in the journal and the dimensions expected of them. */
export interface CatalogOrigin {
  hostname?: string;
  referrer?: string;
  campaign?: Campaign;
  dimensions: Partial<Record<OriginDimension, string>>;
}

export const untagged: Campaign = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  clickId: null,
};

const newsletter = {
  utm_source: 'newsletter',
  utm_medium: 'email',
  utm_campaign: `Spät 10% 'x'`,
  utm_term: 'newsletter',
  utm_content: '🎉',
};

/** An origin on a page of `shop.example`. */
const shop = (
  { hostname = 'shop.example', ...sent }: Omit<CatalogOrigin, 'dimensions'>,
  dimensions: CatalogOrigin['dimensions'],
): CatalogOrigin => ({
  hostname,
  ...sent,
  dimensions: { hostname: 'shop.example', ...dimensions },
});

export const origins: readonly CatalogOrigin[] = [
  shop(
    { referrer: 'https://www.google.com/' },
    { referrer: 'google.com', source: 'Google', channel: 'Organic Search' },
  ),
  shop({ referrer: 'https://shop.example/other' }, { channel: 'Direct' }),
  shop({ hostname: 'www.shop.example' }, { channel: 'Direct' }),
  { dimensions: { channel: 'Direct' } },
  shop(
    { referrer: 'https://blog.example.net/a?b=1' },
    { referrer: 'blog.example.net/a', source: 'blog.example.net', channel: 'Referral' },
  ),
  shop(
    {
      referrer: 'https://t.co/abc',
      campaign: {
        utmSource: newsletter.utm_source,
        utmMedium: newsletter.utm_medium,
        utmCampaign: newsletter.utm_campaign,
        utmTerm: newsletter.utm_term,
        utmContent: newsletter.utm_content,
        clickId: null,
      },
    },
    { referrer: 't.co/abc', source: 'newsletter', channel: 'Email', ...newsletter },
  ),
  shop(
    { campaign: { ...untagged, clickId: { kind: 'gclid', value: 'abc' } } },
    { source: 'Google', channel: 'Paid Search' },
  ),
  {
    hostname: 'docs.example',
    campaign: { ...untagged, utmCampaign: '/pricing' },
    dimensions: { hostname: 'docs.example', channel: 'Unassigned', utm_campaign: '/pricing' },
  },
];

export const pages = [
  '/',
  '/pricing',
  '/Pricing',
  '/100%',
  '/a_b',
  `/it's "quoted"`,
  '/ünï/🎉/ß',
  '/back\\slash|pipe',
  `/${'long/'.repeat(1600)}end`,
  'signup',
  '/blog/1',
  '/blog/2',
  '/blog/3',
] as const;

export const eventNames = [
  'signup',
  'purchase',
  `click 'x' "y" 🎉`,
  '/pricing',
  '50%_off',
  'Signup',
  'engagement',
  'engagement',
  'web_vitals',
] as const;
export const titles = [
  'Home',
  'Preise – 100%',
  '/pricing',
  'O\'Reilly "Zitat"',
  '家へようこそ 🎌',
] as const;
export const tags = ['a', 'b%', 'Google'] as const;
export const countries = ['DE', 'US', 'IN'] as const;
export const languages = ['de-AT', 'en', 'pt-BR'] as const;
export const userIds = ['anna', `o'brien "x"`, '🎉user', 'a%b_c'] as const;
export const props = {
  plan: ['free', 'pro 100%', ''],
  'a/b~c': ['x', '家'],
  'key with "quotes" and \'ticks\'': ['1', '2'],
  'ünï🎉': ['ja', 'nein'],
  'colon:ed': ['1'],
} as const satisfies Record<string, readonly string[]>;
