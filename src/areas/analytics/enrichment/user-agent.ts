import Bowser from 'bowser';
import { isbot } from 'isbot';

const maxLength = 512;

/** The kind of device. `unknown` if the header does not say. */
type Device = 'console' | 'desktop' | 'mobile' | 'tablet' | 'tv' | 'unknown' | 'wearable';

/** A parsed User-Agent. Names have at most 40 characters, versions are digits with one dot. */
export interface UserAgent {
  browser: string | null;
  /** Major version. */
  browserVersion: string | null;
  os: string | null;
  /** Major or major.minor; `7`, `8.1`, `10`, `XP`, `Vista` and so on for Windows. */
  osVersion: string | null;
  device: Device;
  /** Crawlers, libraries, monitors, headless browsers, and an empty User-Agent. */
  bot: boolean;
}

const noBrowser = Object.freeze({ browser: null, browserVersion: null });
const unknownAgent: UserAgent = Object.freeze({
  ...noBrowser,
  os: null,
  osVersion: null,
  device: 'unknown',
  bot: true,
});

const renamedBrowsers = new Map([
  ['BingCrawler', 'Bingbot'],
  ['Focus', 'Firefox Focus'],
  ['Google Search', 'Google App'],
  ['Microsoft Edge', 'Edge'],
  ['Miui', 'MIUI Browser'],
  ['NAVER Whale Browser', 'Whale'],
  ['Opera Touch', 'Opera'],
  ['PlayStation 4', 'PlayStation Browser'],
  ['QQ Browser Lite', 'QQ Browser'],
  ['Samsung Internet for Android', 'Samsung Internet'],
]);
const knownBrowsers = new Set<string>(Object.values(Bowser.BROWSER_MAP));

const anyAppPattern =
  /Instagram|FBAV|musical_ly|Bytedance|TikTok|LinkedInApp|Snapchat|Pinterest|Line\//;
const inAppBrowsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Instagram', /\bInstagram (\d+)/],
  ['Facebook', /\bFBAV\/(\d+)/],
  ['TikTok', /\b(?:musical_ly|BytedanceWebview|TikTok)[ _/](\d+)?/],
  ['LinkedIn', /\bLinkedInApp\b(?:\/(\d+))?/],
  ['Snapchat', /\bSnapchat\/(\d+)/],
  ['Pinterest', /\[Pinterest\/|\bPinterest for /],
  ['LINE', /\bLine\/(\d+)/],
];

const consolePattern = /\bxbox\b|playstation|nintendo/i;
const wearablePattern = /\bwatch ?os\b|apple watch|galaxy watch|wear ?os\b|\bsm-r\d{3}/i;
const tvPattern = new RegExp(
  String.raw`smart-?tv|\btv\b|googletv|apple ?tv|hbbtv|netcast|web0s|bravia|crkey|` +
    String.raw`\baft[a-z]{1,4}\b|roku|viera`,
  'i',
);
const productPattern = /^([a-z][a-z .+-]{1,31})\/(\d{1,4})/i;

/**
 * Parses the first 512 characters of a User-Agent header. Browsers, systems and devices come from
 * `bowser`, bots from `isbot`, with their common names (`Edge`, `macOS`); the large in-app browsers
 * are recognised by their own tokens. An unlisted browser is null, so that invented names do not
 * pollute the figures; a bot that is not a browser gets its product name (`curl`). A header without
 * parentheses has no system. An empty header gives nulls and counts as a bot. Never throws.
 *
 * Limits of the header: Safari on an iPad claims to be a Mac by default, Windows 11 reports Windows
 * 10, Brave reports Chrome, and browsers freeze the macOS version at 10.15.7.
 */
export function parseUserAgent(userAgent: string): UserAgent {
  const text = userAgent.slice(0, maxLength).trim();
  if (text === '') return unknownAgent;
  const bot = isbot(text);
  if (!text.includes('(')) return { ...unknownAgent, ...parseProduct(text, bot), bot };
  const parser = Bowser.getParser(text, true);
  const { name: os, version: osVersion } = detectSystem(parser);
  return {
    ...detectBrowser(text, parser, bot),
    os,
    osVersion,
    device: detectDevice(text, parser),
    bot,
  };
}

const crawlerPattern = /^mozilla\/|bot|crawl|spider|https?:/i;

/**
 * Whether the header is that of a program that calls an API, such as `curl/8.5.0` or none at all,
 * rather than that of a browser or a crawler.
 */
export const isProgram = (userAgent: string): boolean =>
  userAgent === '' || (!crawlerPattern.test(userAgent) && isbot(userAgent));

/** A visitor of whom a program reported nothing. */
export const unreportedAgent: UserAgent = Object.freeze({ ...unknownAgent, bot: false });

type Browser = Pick<UserAgent, 'browser' | 'browserVersion'>;

function detectBrowser(text: string, parser: Bowser.Parser.Parser, bot: boolean): Browser {
  const app = anyAppPattern.test(text) ? detectInAppBrowser(text) : null;
  if (app !== null) return app;
  const { name = '', version } = parser.getBrowser();
  const browser = renamedBrowsers.get(name) ?? (knownBrowsers.has(name) ? name : null);
  return browser === null
    ? parseProduct(text, bot)
    : { browser, browserVersion: shortenVersion(version, 1) };
}

function detectInAppBrowser(text: string): Browser | null {
  for (const [browser, pattern] of inAppBrowsers) {
    const match = pattern.exec(text);
    if (match !== null) return { browser, browserVersion: shortenVersion(match[1], 1) };
  }
  return null;
}

function parseProduct(text: string, bot: boolean): Browser {
  const [, browser = null, version] = (bot ? productPattern.exec(text) : null) ?? [];
  return browser === 'Mozilla'
    ? noBrowser
    : { browser, browserVersion: shortenVersion(version, 1) };
}

function detectSystem(parser: Bowser.Parser.Parser): {
  name: string | null;
  version: string | null;
} {
  const { name, version, versionName } = parser.getOS();
  if (name === undefined || name === '') return { name: null, version: null };
  if (name === 'Windows') return { name, version: versionName ?? null };
  return { name: name === 'WebOS' ? 'webOS' : name, version: shortenVersion(version, 2) };
}

function detectDevice(text: string, parser: Bowser.Parser.Parser): Device {
  if (consolePattern.test(text)) return 'console';
  if (wearablePattern.test(text)) return 'wearable';
  if (tvPattern.test(text)) return 'tv';
  const type = parser.getPlatformType(true);
  if (type === 'desktop' || type === 'mobile' || type === 'tablet' || type === 'tv') return type;
  return parser.getOSName() === 'Chrome OS' ? 'desktop' : 'unknown';
}

/** Returns the first parts of a version, each at most five digits: `17.5` for `17.5.1` and 2. */
function shortenVersion(version: string | undefined, parts: 1 | 2): string | null {
  const pattern = parts === 1 ? /^\d{1,5}/ : /^\d{1,5}(?:\.\d{1,5})?/;
  return pattern.exec(version ?? '')?.[0] ?? null;
}
