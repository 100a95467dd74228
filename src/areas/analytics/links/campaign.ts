import { cutText, holdsEmail, partKey, percentDecode, queryParts } from './query-params.ts';

const maxValueLength = 255;
const maxUrlLength = 2048;

const clickIds = [
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

/** The query key that carries the id of an ad click or of a shared link. */
export type ClickIdKind = (typeof clickIds)[number];

/** The tags of a link. Texts have at most 255 characters; null means untagged. */
export interface Campaign {
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  utmTerm: string | null;
  utmContent: string | null;
  clickId: { kind: ClickIdKind; value: string } | null;
}

const noCampaign: Campaign = Object.freeze({
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  clickId: null,
});

const tagKeys = new Set<string>([
  'utm_source',
  'source',
  'ref',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  ...clickIds,
]);
const otherTrackingKeys = new Set(
  (
    'gad_source gad_campaignid gclsrc _ga _gl _hsenc _hsmi mc_cid mc_eid mkt_tok vero_id ' +
    'srsltid'
  ).split(' '),
);
const clickIdKeys = new Set<string>(clickIds);

/**
 * Returns true for query keys that only serve campaigns (utm_*, click ids, mail tracking) and do
 * not identify the page. `ref` and `source` may mean something to the page, and return false.
 */
export function isCampaignKey(key: string): boolean {
  const name = key.toLowerCase();
  return name.startsWith('utm_') || clickIdKeys.has(name) || otherTrackingKeys.has(name);
}

/**
 * Parses the campaign from the raw url of an event (path or absolute, before `parsePageUrl`): the
 * five UTM parameters, with `source` and `ref` as fallbacks for utm_source, and one click id, also
 * from the query of a hash route. The first of repeated parameters wins. Values are decoded,
 * stripped of control characters, trimmed and truncated to 255 characters. Values with an e-mail
 * address are dropped. Never throws.
 */
export function parseCampaign(url: string): Campaign {
  const mark = url.indexOf('?');
  if (mark === -1) return noCampaign;
  const tags = readTags(url.slice(mark + 1, maxUrlLength));
  if (tags.size === 0) return noCampaign;
  const kind = clickIds.find((key) => tags.has(key));
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
    if (!tagKeys.has(key) || tags.has(key)) continue;
    const value = tagValue(part.slice(written.length + 1));
    if (value !== '') tags.set(key, value);
  }
  return tags;
}

function tagValue(raw: string): string {
  const text = percentDecode(raw.split('+').join(' '))
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return holdsEmail(text) ? '' : cutText(text, maxValueLength).trim();
}
