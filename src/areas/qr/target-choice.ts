import { parameterOf, forwardableParameters, withParameters } from '../../lib/net/query-text.ts';
import type { TargetRule } from './schemas.ts';
import type { Device } from './tables.ts';

const campaignNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

/** The campaign of a code. */
export type Campaign = Readonly<
  Partial<Record<(typeof campaignNames)[number], string | null | undefined>>
>;

/** What a rule can depend on. */
export interface Visitor {
  device: Device;
  /** ISO 3166-1 alpha-2; undefined if unknown. */
  country: string | undefined;
  /** The preferred language in lower case, such as `de-at`; undefined if unknown. */
  language: string | undefined;
}

/** The device of a user agent. iPads that claim to be a Mac count as other. */
export function deviceOf(userAgent: string): Device {
  if (/\b(?:iPhone|iPad|iPod)\b/.test(userAgent)) return 'ios';
  return /\bAndroid\b/.test(userAgent) ? 'android' : 'other';
}

/** The language with the highest weight in an Accept-Language header (RFC 9110 §12.5.4). */
export function preferredLanguage(header: string | undefined): string | undefined {
  let best: { language: string; weight: number } | undefined;
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const given = parameters.find((text) => text.startsWith('q='));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/.test(range) || !(weight > 0)) continue;
    if (best === undefined || weight > best.weight) best = { language: range, weight };
  }
  return best?.language;
}

/** Basic filtering (RFC 4647 §3.3.1): `de` fits `de-at`. */
const fits = (range: string, language: string | undefined): boolean =>
  language === range || language?.startsWith(`${range}-`) === true;

const holds = (rule: TargetRule, { device, country, language }: Visitor): boolean =>
  (rule.device === undefined || rule.device === device) &&
  (rule.country === undefined || rule.country === country) &&
  (rule.language === undefined || fits(rule.language, language));

/** The first rule that fits the visitor. */
export const fittingRule = (
  rules: readonly TargetRule[],
  visitor: Visitor,
): TargetRule | undefined => rules.find((rule) => holds(rule, visitor));

/** Adds the campaign to a URL, whose own text stays as it is. */
export const withCampaign = (url: string, campaign: Campaign): string =>
  withParameters(
    url,
    campaignNames.flatMap((name) => {
      const value = campaign[name];
      return value == null ? [] : [parameterOf(name, value)];
    }),
  );

/** Parameters of the short link itself. */
const ownParameters: ReadonlySet<string> = new Set(['qr', 'password']);

/** Adds the query that a scan came with to its target, if the code passes it on. */
export const withQueryOfScan = (
  url: string,
  { forward_query: isForwarded }: { forward_query: boolean },
  query: string,
): string => (isForwarded ? withParameters(url, forwardableParameters(query, ownParameters)) : url);
