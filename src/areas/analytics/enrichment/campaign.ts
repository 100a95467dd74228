import { cutText, holdsEmail, partKey, percentDecode, queryParts } from './query-params.ts';

const MAX_VALUE = 255;
const MAX_URL = 2048;

const CLICK_IDS = [
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'msclkid',
  'ttclid',
  'twclid',
  'li_fat_id',
  'yclid',
  'rdt_cid',
  'epik',
  'sccid',
  'qclid',
  'tblci',
  'dicbo',
  'irclickid',
  'fbclid',
  'igshid',
  'igsh',
] as const;

/** The query key that carried the id of an ad click or of a shared link. */
export type ClickIdKind = (typeof CLICK_IDS)[number];

/**
 * What a tagged link says about itself. Every text is at most 255 characters; null means not
 * tagged.
 */
export interface Campaign {
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  utmTerm: string | null;
  utmContent: string | null;
  clickId: { kind: ClickIdKind; value: string } | null;
}

const NO_CAMPAIGN: Campaign = Object.freeze({
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  clickId: null,
});

const TAG_KEYS = new Set<string>([
  'utm_source',
  'source',
  'ref',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  ...CLICK_IDS,
]);
const OTHER_TRACKING_KEYS = new Set([
  'gad_source',
  'gad_campaignid',
  'gclsrc',
  '_ga',
  '_gl',
  '_hsenc',
  '_hsmi',
  'mc_cid',
  'mc_eid',
  'mkt_tok',
  'vero_id',
  'srsltid',
]);
const CLICK_ID_KEYS = new Set<string>(CLICK_IDS);

/**
 * Whether a query key only serves campaigns (utm_*, click ids, mail tracking) and so is no part of
 * the page's address. `ref` and `source` may mean something to the page itself and are not counted.
 */
export function isCampaignKey(key: string): boolean {
  const name = key.toLowerCase();
  return name.startsWith('utm_') || CLICK_ID_KEYS.has(name) || OTHER_TRACKING_KEYS.has(name);
}

/**
 * Reads the campaign of an event from its url as it came (path or absolute, before `parsePageUrl`):
 * the five UTM parameters, `source` and `ref` where utm_source is missing, and one click id. Also
 * looks in the query of a hash route. The first of repeated parameters counts. Values are decoded,
 * freed of control characters, trimmed and cut to 255 characters; one that holds an e-mail address
 * is left out. Never throws.
 */
export function parseCampaign(url: string): Campaign {
  const mark = url.indexOf('?');
  if (mark === -1) return NO_CAMPAIGN;
  const tags = readTags(url.slice(mark + 1, MAX_URL));
  if (tags.size === 0) return NO_CAMPAIGN;
  const kind = CLICK_IDS.find((key) => tags.has(key));
  return {
    utmSource: tags.get('utm_source') ?? tags.get('source') ?? tags.get('ref') ?? null,
    utmMedium: tags.get('utm_medium') ?? null,
    utmCampaign: tags.get('utm_campaign') ?? null,
    utmTerm: tags.get('utm_term') ?? null,
    utmContent: tags.get('utm_content') ?? null,
    clickId: kind === undefined ? null : { kind, value: tags.get(kind) ?? '' },
  };
}

function readTags(afterMark: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of queryParts(afterMark.replace(/#[^?]*(?:\?|$)/, '&'))) {
    const written = partKey(part);
    const key = written.toLowerCase();
    if (!TAG_KEYS.has(key) || tags.has(key)) continue;
    const value = tagValue(part.slice(written.length + 1));
    if (value !== '') tags.set(key, value);
  }
  return tags;
}

function tagValue(raw: string): string {
  const text = percentDecode(raw.split('+').join(' '))
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return holdsEmail(text) ? '' : cutText(text, MAX_VALUE).trim();
}
