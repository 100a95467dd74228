import bowser from 'bowser';
import { countryPlace } from './country-places.ts';
import { isImpossibleTravel } from './travel.ts';

/** Rules by name, each with the sentence shown to the owner and to admins. */
export const riskRules = {
  new_country: 'The device was used in a new country.',
  impossible_travel:
    'The device was used in two countries too far apart to travel between in that time.',
  platform_changed:
    'The device now looks like a different kind of device, for example a phone instead of a ' +
    'computer.',
  os_changed: 'The device now runs a different operating system.',
  browser_changed: 'The device was used with a different browser.',
  browser_downgraded: 'The browser is older than before.',
  proof_failed: 'The browser could not prove that it holds the device key.',
  key_missing: 'The device was used without its key.',
  secret_reused: 'An old copy of the cookie was used, so someone may have copied it.',
  foreign_cookie: 'The cookie was sent in a session that belongs to a different user.',
} as const;

export type RiskRule = keyof typeof riskRules;

/** Rules that are only recorded in the audit log. All others suspend an approved device. */
export const recordOnlyRules: ReadonlySet<RiskRule> = new Set<RiskRule>(['foreign_cookie']);

/** What the User-Agent tells about a device. `null` means unknown, and is never a risk. */
export interface Traits {
  platform: string | null;
  os: string | null;
  browser: string | null;
  /** Major version. */
  browserMajor: number | null;
}

export interface KnownDevice extends Traits {
  /** Accepted countries, ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** Where it was last seen. */
  country: string | null;
  /** When it was last seen there, Unix ms. */
  seenAt: number;
}

export interface SeenDevice extends Traits {
  country: string | undefined;
  /** Unix ms. */
  at: number;
}

const handhelds = ['mobile', 'tablet'];

// "Request desktop site" makes a phone or tablet report this desktop system, and iPads do so by
// default. A click in a menu must not suspend the device. The rule loses little, since a thief of
// the cookie can copy the user agent too.
const desktopSystems: Readonly<Record<string, string>> = { ios: 'macos', android: 'linux' };

const differ = (a: string | null, b: string | null) => a !== null && b !== null && a !== b;

function isDesktopSite({ os: a }: Traits, { os: b }: Traits): boolean {
  return a !== null && b !== null && (desktopSystems[a] === b || desktopSystems[b] === a);
}

function isOtherPlatform(known: Traits, seen: Traits): boolean {
  // A foldable phone may turn into a tablet.
  const bothHandheld = [known.platform, seen.platform].every(
    (platform) => platform !== null && handhelds.includes(platform),
  );
  return differ(known.platform, seen.platform) && !bothHandheld && !isDesktopSite(known, seen);
}

function isDowngrade(known: Traits, seen: Traits): boolean {
  const sameFamily = known.browser !== null && known.browser === seen.browser;
  return (
    sameFamily &&
    known.browserMajor !== null &&
    seen.browserMajor !== null &&
    seen.browserMajor < known.browserMajor
  );
}

const isCountry = (code: string) => countryPlace(code) !== undefined;

function isNewCountry({ countries }: KnownDevice, { country }: SeenDevice): boolean {
  return (
    country !== undefined &&
    isCountry(country) &&
    countries.some(isCountry) &&
    !countries.includes(country)
  );
}

function hasTravelled(known: KnownDevice, seen: SeenDevice): boolean {
  if (known.country === null || seen.country === undefined) return false;
  return isImpossibleTravel({
    from: known.country,
    to: seen.country,
    elapsedMs: seen.at - known.seenAt,
  });
}

const checks: readonly (readonly [RiskRule, (known: KnownDevice, seen: SeenDevice) => boolean])[] =
  [
    ['new_country', isNewCountry],
    ['impossible_travel', hasTravelled],
    ['platform_changed', isOtherPlatform],
    ['os_changed', (known, seen) => differ(known.os, seen.os) && !isDesktopSite(known, seen)],
    ['browser_changed', (known, seen) => differ(known.browser, seen.browser)],
    ['browser_downgraded', isDowngrade],
  ];

/**
 * Compares a request with the known device and returns the broken rules, in the order of
 * `riskRules`. Newer versions, the frozen parts of reduced user agents, and codes that are no
 * country (`AP`) break none.
 */
export function findRisks(known: KnownDevice, seen: SeenDevice): RiskRule[] {
  return checks.filter(([, isBroken]) => isBroken(known, seen)).map(([rule]) => rule);
}

const family = (name: string | undefined) =>
  name === undefined || name.trim() === '' ? null : name.trim().toLowerCase();

function majorOf(version: string | undefined): number | null {
  const major = Number.parseInt(version ?? '', 10);
  return Number.isNaN(major) ? null : major;
}

/**
 * Parses a User-Agent: system and browser families in lower case (`macos`, `chrome os`, `firefox`)
 * and the browser's major version. `platform` overrides the detected `desktop`, `mobile`, `tablet`
 * and so on; a client that sends it must send it every time.
 */
export function traitsOf(userAgent: string | undefined, platform?: string): Traits {
  // bowser throws for an empty string, and a long one only costs time.
  const text = userAgent?.trim().slice(0, 512) ?? '';
  if (text === '')
    return { platform: family(platform), os: null, browser: null, browserMajor: null };
  const found = bowser.parse(text);
  return {
    platform: family(platform) ?? family(found.platform.type),
    os: family(found.os.name),
    browser: family(found.browser.name),
    browserMajor: majorOf(found.browser.version),
  };
}
