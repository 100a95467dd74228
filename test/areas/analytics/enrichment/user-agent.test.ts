import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUserAgent } from '../../../../src/areas/analytics/enrichment/user-agent.ts';
import { rounds } from '../../../support/rounds.ts';

const WIN = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'Chrome/126.0.0.0';
const SAFARI = 'Safari/537.36';
const MOBILE = 'Mobile/15E148';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT}`;
const android = (device: string) => `Mozilla/5.0 (Linux; Android ${device}) ${BLINK}`;

const browsers = {
  [`${WIN} ${BLINK} ${CHROME} ${SAFARI}`]: 'Chrome 126, Windows 10, desktop',
  [`${WIN} ${BLINK} ${CHROME} ${SAFARI} Edg/126.0.2592.56`]: 'Edge 126, Windows 10, desktop',
  [`${WIN} ${BLINK} Chrome/64.0.3282.140 ${SAFARI} Edge/18.17763`]: 'Edge 18, Windows 10, desktop',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0':
    'Firefox 127, Windows 10, desktop',
  'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko':
    'Internet Explorer 11, Windows 7, desktop',
  'Mozilla/5.0 (Windows NT 6.3; Win64; x64; rv:115.0) Gecko/20100101 Firefox/115.0':
    'Firefox 115, Windows 8.1, desktop',
  [`${WIN} ${BLINK} Chrome/124.0.0.0 ${SAFARI} OPR/110.0.0.0`]: 'Opera 110, Windows 10, desktop',
  [`${WIN} ${BLINK} Chrome/124.0.0.0 ${SAFARI} Vivaldi/6.7`]: 'Vivaldi 6, Windows 10, desktop',
  [`${WIN} ${BLINK} Chrome/122.0.0.0 YaBrowser/24.4.0 ${SAFARI}`]:
    'Yandex Browser 24, Windows 10, desktop',
  [`${MAC} ${WEBKIT} Version/17.5 Safari/605.1.15`]: 'Safari 17, macOS 10.15, desktop',
  [`${MAC} ${BLINK} ${CHROME} ${SAFARI}`]: 'Chrome 126, macOS 10.15, desktop',
  [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} ${CHROME} ${SAFARI}`]:
    'Chrome 126, Linux null, desktop',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0':
    'Firefox 127, Linux null, desktop',
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} ${CHROME} ${SAFARI}`]:
    'Chrome 126, Chrome OS null, desktop',
  [`${IPHONE} Version/17.5 ${MOBILE} Safari/604.1`]: 'Safari 17, iOS 17.5, mobile',
  [`${IPHONE} CriOS/126.0.6478.54 ${MOBILE} Safari/604.1`]: 'Chrome 126, iOS 17.5, mobile',
  [`${IPHONE} FxiOS/127.0 ${MOBILE} Safari/605.1.15`]: 'Firefox 127, iOS 17.5, mobile',
  [`${IPHONE} Version/17.0 EdgiOS/126.0.2592.56 ${MOBILE} Safari/604.1`]:
    'Edge 126, iOS 17.5, mobile',
  [`${IPHONE} GSA/320.0.643 ${MOBILE} Safari/604.1`]: 'Google App 320, iOS 17.5, mobile',
  [`${IPHONE} Version/17.5 ${MOBILE} Safari/604.1 Ddg/17.5`]: 'DuckDuckGo 17, iOS 17.5, mobile',
  [`${IPHONE} ${MOBILE} Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5)`]:
    'Instagram 334, iOS 17.5, mobile',
  [`${IPHONE} ${MOBILE} [FBAN/FBIOS;FBAV/466.0.0.43.107;FBBV/600000]`]:
    'Facebook 466, iOS 17.5, mobile',
  [`${IPHONE} ${MOBILE} [LinkedInApp]/9.30`]: 'LinkedIn null, iOS 17.5, mobile',
  [`${IPHONE} ${MOBILE} MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/en`]:
    'WeChat 8, iOS 17.5, mobile',
  [`Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${WEBKIT} Version/16.6 ${MOBILE} Safari/604.1`]:
    'Safari 16, iOS 16.6, tablet',
  [`${android('14; Pixel 8')} ${CHROME} Mobile ${SAFARI}`]: 'Chrome 126, Android 14, mobile',
  [`${android('10; K')} ${CHROME} Mobile ${SAFARI}`]: 'Chrome 126, Android 10, mobile',
  [`${android('13; SM-X200')} ${CHROME} ${SAFARI}`]: 'Chrome 126, Android 13, tablet',
  [`${android('14; SM-S918B')} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile ${SAFARI}`]:
    'Samsung Internet 25, Android 14, mobile',
  'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0':
    'Firefox 127, Android 14, mobile',
  [`${android('9; KFMAWI')} Silk/120.4.1 like Chrome/120.0.6099.230 ${SAFARI}`]:
    'Amazon Silk 120, Android 9, tablet',
  [`${android('12; Redmi Note 11')} Version/4.0 Chrome/112.0.5615.136 Mobile ${SAFARI} ` +
  `XiaoMi/MiuiBrowser/14.8.0-gn`]: 'MIUI Browser 14, Android 12, mobile',
  [`Mozilla/5.0 (SMART-TV; Linux; Tizen 5.0) ${BLINK} ` +
  `SamsungBrowser/2.2 Chrome/63.0.3239.84 TV ${SAFARI}`]: 'Samsung Internet 2, Tizen 5.0, tv',
  [`Mozilla/5.0 (Web0S; Linux/SmartTV) ${BLINK} Chrome/94.0.4606.128 ${SAFARI} WebAppManager`]:
    'WebOS Browser null, webOS null, tv',
  [`${android('9; AFTKA')} Silk/120.4.1 like Chrome/120.0.6099.230 ${SAFARI}`]:
    'Amazon Silk 120, Android 9, tv',
  [`Mozilla/5.0 (PlayStation; PlayStation 5/2.26) ${WEBKIT} Version/13.0 Safari/605.1.15`]:
    'Safari 13, null null, console',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${BLINK} ` +
  `${CHROME} ${SAFARI} Edg/126.0.0.0`]: 'Edge 126, Windows 10, console',
  ['Mozilla/5.0 (Linux; Tizen 4.0; SAMSUNG SM-R765U) AppleWebKit/537.3 (KHTML, like Gecko) ' +
  'SamsungBrowser/1.0 Chrome/56.0 Safari/537.3']: 'Samsung Internet 1, Tizen 4.0, wearable',
};

const bots = {
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': 'Googlebot',
  [`${android('6.0.1; Nexus 5X Build/MMB29P')} ${CHROME} Mobile ${SAFARI} ` +
  `(compatible; Googlebot/2.1; +http://www.google.com/bot.html)`]: 'Googlebot',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)': 'Bingbot',
  [`Mozilla/5.0 ${BLINK}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`]: 'GPTBot',
  [`Mozilla/5.0 ${BLINK}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)`]: 'ClaudeBot',
  'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)':
    'PerplexityBot',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)': 'YandexBot',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)': null,
  'Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)': null,
  'Mozilla/5.0 (compatible; CensysInspect/1.1; +https://about.censys.io/)': null,
  'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)': 'PingdomBot',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)':
    'FacebookExternalHit',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)': 'SlackBot',
  'Twitterbot/1.0': 'Twitterbot',
  'WhatsApp/2.23.20.0': 'WhatsApp',
  'curl/8.5.0': 'curl',
  'Wget/1.21.4': 'Wget',
  'python-requests/2.32.3': 'python-requests',
  'Python/3.11 aiohttp/3.9.5': 'Python',
  'Go-http-client/2.0': 'Go-http-client',
  'okhttp/4.12.0': 'okhttp',
  'axios/1.7.2': 'axios',
  node: null,
  'PostmanRuntime/7.39.0': 'PostmanRuntime',
  'Apache-HttpClient/4.5.14 (Java/17.0.11)': 'Apache-HttpClient',
  [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Headless${CHROME} ${SAFARI}`]: 'Chrome',
  [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} ${CHROME} ${SAFARI} Chrome-Lighthouse`]: 'Chrome',
  ['Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) ' +
  'PhantomJS/2.1.1 Safari/538.1']: 'PhantomJS',
};

describe('parseUserAgent', () => {
  it.each(Object.entries(browsers))('%s is %s', (userAgent, expected) => {
    const { browser, browserVersion, os, osVersion, device, bot } = parseUserAgent(userAgent);
    expect(`${browser} ${browserVersion}, ${os} ${osVersion}, ${device}`).toBe(expected);
    expect(bot).toBe(false);
  });

  it.each(Object.entries(bots))('%s is the bot %s', (userAgent, browser) => {
    expect(parseUserAgent(userAgent)).toMatchObject({ browser, bot: true });
  });

  it.each(['', '   '])('returns nulls and flags a bot for the blank string %j', (userAgent) => {
    expect(parseUserAgent(userAgent)).toEqual({
      browser: null,
      browserVersion: null,
      os: null,
      osVersion: null,
      device: 'unknown',
      bot: true,
    });
  });

  it('ignores made-up browser names', () => {
    expect(parseUserAgent('MyThing/4.2 (Windows NT 10.0; Win64) Extra/1').browser).not.toBe(
      'MyThing/4.2 (Windows',
    );
    expect(parseUserAgent('constructor/1 (x) y').browser).toBeNull();
  });

  it('never throws and bounds every field, for any input', () => {
    const pieces = fc.array(
      fc.constantFrom(
        ...'( ) ; / . _ 1 99999999 Mozilla/5.0 Macintosh iPhone iPad Android Chrome/'.split(' '),
        ...'Version/ Firefox/ FxiOS/ Edg/ OPR/ bot Roku/DVP BB10 Tizen webOS FBAV/'.split(' '),
        ...'TikTok Opt/ \ud800'.split(' '),
        ...[' ', 'Windows NT ', 'Mac OS X', 'like Mac OS X', 'se 2.x', 'rim tablet os'],
      ),
      { maxLength: 60 },
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 700 }),
      pieces.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (userAgent) => {
        const parsed = parseUserAgent(userAgent);
        for (const name of [parsed.browser, parsed.os])
          expect((name ?? '').length).toBeLessThanOrEqual(40);
        expect(parsed.browserVersion ?? '1').toMatch(/^\d{1,5}$/);
        expect(parsed.osVersion ?? '1').toMatch(/^(?:\d{1,5}(?:\.\d{1,5})?|NT|XP|Vista)$/);
      }),
      { numRuns: rounds(1000, 3000) },
    );
  });
});
