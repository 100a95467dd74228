import type { Campaign, ClickIdKind } from '../links/campaign.ts';
import type { Referrer } from './referrer.ts';
import { findSourceByTag } from './source-lookup.ts';
import type { SourceCategory } from './sources.ts';

/** The channels of GA4's default channel group, in evaluation order. */
export const channels = [
  'Direct',
  'Cross-network',
  'Paid Shopping',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Display',
  'Paid Other',
  'AI Assistant',
  'Organic Shopping',
  'Organic Social',
  'Organic Video',
  'Organic Search',
  'Referral',
  'Email',
  'Affiliates',
  'Audio',
  'SMS',
  'Mobile Push Notifications',
  'Unassigned',
] as const;

type Channel = (typeof channels)[number];

/** Where a visit came from. Tags of the link take precedence over the referrer. */
export interface Acquisition {
  /** A name (`Google`), else utm_source as sent, else the referrer's host; null if direct. */
  source: string | null;
  channel: Channel;
}

interface Signals {
  source: string;
  medium: string;
  campaign: string;
  category: SourceCategory | null;
}

interface ClickIdMeaning {
  source: string;
  medium: string;
}

const clickIdMeanings: Record<ClickIdKind, ClickIdMeaning> = {
  gclid: { source: 'google', medium: 'cpc' },
  gbraid: { source: 'google', medium: 'cpc' },
  wbraid: { source: 'google', medium: 'cpc' },
  dclid: { source: 'google', medium: 'display' },
  msclkid: { source: 'bing', medium: 'cpc' },
  ttclid: { source: 'tiktok', medium: 'cpc' },
  twclid: { source: 'x', medium: 'cpc' },
  li_fat_id: { source: 'linkedin', medium: 'cpc' },
  yclid: { source: 'yandex', medium: 'cpc' },
  rdt_cid: { source: 'reddit', medium: 'cpc' },
  epik: { source: 'pinterest', medium: 'cpc' },
  sccid: { source: 'snapchat', medium: 'cpc' },
  qclid: { source: 'quora', medium: 'cpc' },
  tblci: { source: 'taboola', medium: 'cpc' },
  dicbo: { source: 'outbrain', medium: 'cpc' },
  irclickid: { source: 'impact', medium: 'affiliate' },
  fbclid: { source: 'facebook', medium: '' },
  igshid: { source: 'instagram', medium: '' },
  igsh: { source: 'instagram', medium: '' },
};

const displayMediums = new Set(['display', 'banner', 'expandable', 'interstitial', 'cpm']);
const socialMediums = new Set([
  'social',
  'social-network',
  'social-media',
  'sm',
  'social network',
  'social media',
]);
const referralMediums = new Set(['referral', 'app', 'link']);
const emailWords = new Set(['email', 'e-mail', 'e_mail', 'e mail']);
const unsetMediums = new Set(['', '(none)', '(not set)']);
const paidChannels: Partial<Record<SourceCategory, Channel>> = {
  shopping: 'Paid Shopping',
  search: 'Paid Search',
  social: 'Paid Social',
  video: 'Paid Video',
};

/**
 * Returns the source and channel of a visit by Google's "GA4 default channel group"
 * (support.google.com/analytics/answer/9756891): the rules for manual traffic in their documented
 * order, case-insensitive.
 *
 * Differences, where GA4 knows more than a page url or leaves the case open:
 * - a click id gives source and medium to a link without tags (`gclid`: google / cpc, `dclid`:
 *   google / display); `fbclid` and `igshid` also occur in shared links and give the source only;
 * - a known AI assistant as referrer or utm_source is AI Assistant, as is medium `ai-assistant`;
 * - a webmail page is Email (a plain referral in GA4);
 * - a source without a medium (`?ref=somewhere`, a plain link) is Referral; a medium that matches
 *   no rule is Unassigned.
 */
export function classifyVisit(campaign: Campaign, referrer: Referrer): Acquisition {
  const click = campaign.clickId === null ? null : clickIdMeanings[campaign.clickId.kind];
  const tag = realValue(campaign.utmSource) ?? pickClickSource(click, referrer);
  const known = tag === null ? null : findSourceByTag(tag);
  const source = known?.name ?? tag ?? referrer.source;
  const channel = classifyChannel({
    source: (tag ?? referrer.source ?? '').toLowerCase(),
    medium: (campaign.utmMedium ?? click?.medium ?? '').toLowerCase(),
    campaign: (campaign.utmCampaign ?? '').toLowerCase(),
    category: tag === null ? referrer.category : (known?.category ?? null),
  });
  return { source, channel };
}

/** A paid click id overrides an unknown referrer (ad servers); a share id only a missing one. */
function pickClickSource(click: ClickIdMeaning | null, referrer: Referrer): string | null {
  if (click === null) return null;
  const yields = click.medium === '' ? referrer.source !== null : referrer.category !== null;
  return yields ? null : click.source;
}

function realValue(source: string | null): string | null {
  return source === null || ['(direct)', '(not set)', 'direct'].includes(source.toLowerCase())
    ? null
    : source;
}

function classifyChannel(visit: Signals): Channel {
  if (visit.source === '' && unsetMediums.has(visit.medium) && visit.campaign === '')
    return 'Direct';
  if (visit.campaign.includes('cross-network')) return 'Cross-network';
  return paidChannel(visit) ?? organicChannel(visit) ?? otherChannel(visit);
}

function paidChannel({ medium, campaign, category }: Signals): Channel | null {
  const paid =
    medium.includes('cp') ||
    medium === 'ppc' ||
    medium === 'retargeting' ||
    medium.startsWith('paid');
  if (paid && isShopping(campaign)) return 'Paid Shopping';
  const byCategory = paid && category !== null ? paidChannels[category] : undefined;
  if (byCategory !== undefined) return byCategory;
  if (displayMediums.has(medium)) return 'Display';
  return paid ? 'Paid Other' : null;
}

function organicChannel({ medium, campaign, category }: Signals): Channel | null {
  if (medium === 'ai-assistant' || category === 'ai') return 'AI Assistant';
  if (category === 'shopping' || isShopping(campaign)) return 'Organic Shopping';
  if (category === 'social' || socialMediums.has(medium)) return 'Organic Social';
  if (category === 'video' || medium.includes('video')) return 'Organic Video';
  if (category === 'search' || medium === 'organic') return 'Organic Search';
  return null;
}

function otherChannel({ source, medium, category }: Signals): Channel {
  if (referralMediums.has(medium)) return 'Referral';
  if (
    emailWords.has(source) ||
    emailWords.has(medium) ||
    (category === 'email' && unsetMediums.has(medium))
  )
    return 'Email';
  if (medium === 'affiliate') return 'Affiliates';
  if (medium === 'audio') return 'Audio';
  if (source === 'sms' || medium === 'sms') return 'SMS';
  if (medium.endsWith('push') || medium.includes('mobile') || medium.includes('notification'))
    return 'Mobile Push Notifications';
  return source !== '' && unsetMediums.has(medium) ? 'Referral' : 'Unassigned';
}

/** GA4's rule `^(.*(([^a-df-z]|^)shop|shopping).*)$`: "e-shop" matches, "workshop" does not. */
function isShopping(campaign: string): boolean {
  return /(?:[^a-df-z]|^)shop|shopping/.test(campaign);
}
