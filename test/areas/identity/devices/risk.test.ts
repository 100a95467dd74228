import { describe, expect, test } from 'vitest';
import {
  findRisks,
  type KnownDevice,
  recordOnlyRules,
  riskRules,
  type SeenDevice,
  traitsOf,
} from '../../../../src/areas/identity/devices/recognition/risk.ts';
import { hourMs as hour } from '../../../../src/lib/durations.ts';

const at = Date.UTC(2026, 0, 5, 12);
const webkit = (system: string, product: string, version = '537.36') =>
  `Mozilla/5.0 (${system}) AppleWebKit/${version} (KHTML, like Gecko) ${product}`;
const safari = (system: string, product: string) => webkit(system, product, '605.1.15');
const windows = 'Windows NT 10.0; Win64; x64';
const mac = 'Macintosh; Intel Mac OS X 10_15_7';
const iPhone = 'iPhone; CPU iPhone OS 17_4 like Mac OS X';
const chrome = 'Chrome/126.0.0.0';
const agents = {
  windowsChrome: webkit(windows, `${chrome} Safari/537.36`),
  windowsEdge: webkit(windows, `${chrome} Safari/537.36 Edg/126.0.0.0`),
  macSafari: safari(mac, 'Version/17.4 Safari/605.1.15'),
  macChrome: webkit(mac, `${chrome} Safari/537.36`),
  oldMacChrome: webkit('Macintosh; Intel Mac OS X 10_13_6', 'Chrome/126.0.6478.62 Safari/537.36'),
  iPad: safari('iPad; CPU OS 17_4 like Mac OS X', 'Version/17.4 Mobile/15E148 Safari/604.1'),
  iPhone: safari(iPhone, 'Version/17.4 Mobile/15E148 Safari/604.1'),
  iPhoneChrome: safari(iPhone, 'CriOS/126.0.6478.35 Mobile/15E148 Safari/604.1'),
  iPhoneChromeDesktopSite: safari(mac, 'CriOS/126 Version/11.1.1 Safari/605.1.15'),
  androidReduced: webkit('Linux; Android 10; K', `${chrome} Mobile Safari/537.36`),
  androidUnfolded: webkit('Linux; Android 10; K', `${chrome} Safari/537.36`),
  androidFull: webkit('Linux; Android 14; Pixel 8', 'Chrome/126.0.6478.50 Mobile Safari/537.36'),
  linuxChrome: webkit('X11; Linux x86_64', `${chrome} Safari/537.36`),
  linuxFirefox: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  chromeOs: webkit('X11; CrOS x86_64 14541.0.0', `${chrome} Safari/537.36`),
};
type Agent = keyof typeof agents;

const traits = { platform: 'desktop', os: 'windows', browser: 'chrome', browserMajor: 126 };
const nothing = { platform: null, os: null, browser: null, browserMajor: null };

/** Returns the risks when only the given traits differ. */
function risks(known: Partial<KnownDevice>, seen: Partial<SeenDevice> = {}) {
  return findRisks(
    { ...traits, countries: ['DE'], country: 'DE', seenAt: at - 24 * hour, ...known },
    { ...traits, country: 'DE', at, ...seen },
  );
}

const between = (known: Agent, seen: Agent) =>
  risks(traitsOf(agents[known]), traitsOf(agents[seen]));

describe('findRisks', () => {
  test('the same device in the same place has no risk', () => {
    expect(risks({})).toEqual([]);
  });

  test('new_country is found in an unknown country, unless it is the first one', () => {
    expect(risks({}, { country: 'FR' })).toEqual(['new_country']);
    expect(risks({ countries: ['DE', 'FR'] }, { country: 'FR' })).toEqual([]);
    expect(risks({ countries: [] }, { country: 'FR' })).toEqual([]);
    expect(risks({}, { country: undefined })).toEqual([]);
    expect(risks({}, { country: 'AP' })).toEqual([]);
    expect(risks({ countries: ['AP'], country: 'AP' })).toEqual([]);
  });

  test('impossible_travel is found between distant countries within too short a time', () => {
    const countries = ['DE', 'JP', 'FR'];
    expect(risks({ countries, seenAt: at - hour }, { country: 'JP' })).toEqual([
      'impossible_travel',
    ]);
    expect(risks({ countries, seenAt: at + hour }, { country: 'JP' })).toEqual([
      'impossible_travel',
    ]);
    expect(risks({ countries, seenAt: at - 14 * hour }, { country: 'JP' })).toEqual([]);
    expect(risks({ countries, seenAt: at - 1000 }, { country: 'FR' })).toEqual([]);
    expect(risks({ countries, country: null, seenAt: at - hour }, { country: 'JP' })).toEqual([]);
    expect(risks({ countries, seenAt: at - hour }, { country: undefined })).toEqual([]);
  });

  test('new_country and impossible_travel can both be found', () => {
    expect(risks({ seenAt: at - hour }, { country: 'JP' })).toEqual([
      'new_country',
      'impossible_travel',
    ]);
  });

  test('platform_changed is found from computer to phone, not from phone to tablet', () => {
    expect(risks({}, { platform: 'mobile' })).toEqual(['platform_changed']);
    expect(risks({ platform: 'mobile', os: 'android' }, { platform: 'tv', os: 'android' })).toEqual(
      ['platform_changed'],
    );
    expect(between('androidReduced', 'androidUnfolded')).toEqual([]);
    expect(risks({ platform: null })).toEqual([]);
    expect(risks({}, { platform: null })).toEqual([]);
  });

  test('os_changed is found between families, not between versions', () => {
    expect(between('windowsChrome', 'macChrome')).toEqual(['os_changed']);
    expect(between('windowsChrome', 'androidReduced')).toEqual(['platform_changed', 'os_changed']);
    expect(between('iPhoneChrome', 'androidReduced')).toEqual(['os_changed']);
    expect(between('oldMacChrome', 'macChrome')).toEqual([]);
    expect(risks({ os: null })).toEqual([]);
    expect(risks({}, { os: null })).toEqual([]);
  });

  test.each<[Agent, Agent]>([
    ['iPad', 'macSafari'],
    ['iPhone', 'macSafari'],
    ['iPhoneChrome', 'iPhoneChromeDesktopSite'],
    ['androidReduced', 'linuxChrome'],
    ['androidUnfolded', 'linuxChrome'],
  ])('the "desktop site" of %s is no risk, in either direction', (asItself, asDesktop) => {
    expect(between(asItself, asDesktop)).toEqual([]);
    expect(between(asDesktop, asItself)).toEqual([]);
  });

  test('only the desktop system that a phone reports is exempt', () => {
    expect(between('iPhoneChrome', 'linuxChrome')).toEqual(['platform_changed', 'os_changed']);
    expect(between('androidReduced', 'macChrome')).toEqual(['platform_changed', 'os_changed']);
    expect(between('iPhoneChrome', 'windowsChrome')).toEqual(['platform_changed', 'os_changed']);
  });

  test('browser_changed is found between families, with any versions', () => {
    expect(between('windowsChrome', 'windowsEdge')).toEqual(['browser_changed']);
    expect(risks({}, { browser: 'firefox', browserMajor: 20 })).toEqual(['browser_changed']);
    expect(risks({ browser: null })).toEqual([]);
    expect(risks({}, { browser: null })).toEqual([]);
  });

  test('browser_downgraded is found for an older major version, not for a newer one', () => {
    expect(risks({}, { browserMajor: 125 })).toEqual(['browser_downgraded']);
    expect(risks({}, { browserMajor: 127 })).toEqual([]);
    expect(risks({ browserMajor: null })).toEqual([]);
    expect(risks({}, { browserMajor: null })).toEqual([]);
    expect(risks({ browser: null }, { browser: null, browserMajor: 1 })).toEqual([]);
  });

  test('a reduced user agent is no risk, in any order', () => {
    expect(between('androidFull', 'androidReduced')).toEqual([]);
    expect(between('androidReduced', 'androidFull')).toEqual([]);
    expect(between('macChrome', 'oldMacChrome')).toEqual([]);
  });

  test('unknown traits are no risk, in the known and in the seen device', () => {
    expect(risks({ ...nothing, countries: [], country: null }, { country: 'JP' })).toEqual([]);
    expect(risks({}, { ...nothing, country: undefined })).toEqual([]);
  });
});

describe('riskRules', () => {
  test('every rule has a sentence, and only foreign_cookie does not suspend', () => {
    for (const sentence of Object.values(riskRules))
      expect(sentence).toMatch(/^(?:The|An|A|Its) [a-z ,’'-]+\.$/i);
    expect([...recordOnlyRules]).toEqual(['foreign_cookie']);
  });
});

describe('traitsOf', () => {
  test.each<[Agent, string | null, string, string, number]>([
    ['windowsChrome', 'desktop', 'windows', 'chrome', 126],
    ['windowsEdge', 'desktop', 'windows', 'microsoft edge', 126],
    ['macSafari', 'desktop', 'macos', 'safari', 17],
    ['iPad', 'tablet', 'ios', 'safari', 17],
    ['androidReduced', 'mobile', 'android', 'chrome', 126],
    ['linuxFirefox', 'desktop', 'linux', 'firefox', 127],
    ['chromeOs', null, 'chrome os', 'chrome', 126],
  ])('parses %s', (agent, platform, os, browser, browserMajor) => {
    expect(traitsOf(agents[agent])).toEqual({ platform, os, browser, browserMajor });
  });

  test.each([undefined, '', '   ', 'curl/8.5.0', 'nonsense', '\u0000'])(
    'returns nothing for %j and does not throw',
    (agent) => {
      expect(traitsOf(agent)).toEqual(nothing);
    },
  );

  test('uses the platform that the client names, unless it is empty', () => {
    expect(traitsOf(agents.iPad, 'iPad').platform).toBe('ipad');
    expect(traitsOf(undefined, 'iPad')).toEqual({ ...nothing, platform: 'ipad' });
    expect(traitsOf(agents.iPad, ' ').platform).toBe('tablet');
  });

  test('truncates a user agent of a megabyte before it is parsed', () => {
    expect(traitsOf(agents.linuxFirefox + ' x'.repeat(500_000))).toEqual(
      traitsOf(agents.linuxFirefox),
    );
  });
});
