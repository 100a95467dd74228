import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareHostname, siteDomain } from '../../../../src/areas/analytics/enrichment/hostname.ts';
import { directVisit, parseReferrer } from '../../../../src/areas/analytics/enrichment/referrer.ts';
import {
  findSourceByAndroidApp,
  findSourceByTag,
} from '../../../../src/areas/analytics/enrichment/source-lookup.ts';
import { androidApps, sources } from '../../../../src/areas/analytics/enrichment/sources.ts';
import { rounds } from '../../../support/rounds.ts';

describe('parseReferrer › sources', () => {
  it.each([
    ['https://www.google.com/', 'Google', 'search'],
    ['https://www.google.co.uk/', 'Google', 'search'],
    ['https://google.de/search?q=secret', 'Google', 'search'],
    ['https://news.google.com/articles/1', 'Google News', 'search'],
    ['https://mail.google.com/mail/u/0', 'Gmail', 'email'],
    ['https://gemini.google.com/app', 'Gemini', 'ai'],
    ['https://shopping.google.com/', 'Google Shopping', 'shopping'],
    ['https://www.bing.com/', 'Bing', 'search'],
    ['https://duckduckgo.com/', 'DuckDuckGo', 'search'],
    ['https://search.yahoo.co.jp/', 'Yahoo', 'search'],
    ['https://mail.yahoo.com/', 'Yahoo Mail', 'email'],
    ['https://yandex.ru/', 'Yandex', 'search'],
    ['https://yandex.com.tr/', 'Yandex', 'search'],
    ['https://www.baidu.com/link', 'Baidu', 'search'],
    ['https://www.ecosia.org/', 'Ecosia', 'search'],
    ['https://search.brave.com/', 'Brave Search', 'search'],
    ['https://l.facebook.com/l.php?u=x', 'Facebook', 'social'],
    ['https://m.facebook.com/', 'Facebook', 'social'],
    ['https://l.instagram.com/', 'Instagram', 'social'],
    ['https://t.co/abc', 'X', 'social'],
    ['https://x.com/a/status/1', 'X', 'social'],
    ['https://twitter.com/', 'X', 'social'],
    ['https://lnkd.in/x', 'LinkedIn', 'social'],
    ['https://www.linkedin.com/feed/', 'LinkedIn', 'social'],
    ['https://old.reddit.com/r/x', 'Reddit', 'social'],
    ['https://out.reddit.com/', 'Reddit', 'social'],
    ['https://news.ycombinator.com/item?id=1', 'Hacker News', 'social'],
    ['https://www.pinterest.de/pin/1', 'Pinterest', 'social'],
    ['https://bsky.app/', 'Bluesky', 'social'],
    ['https://mastodon.social/@x', 'Mastodon', 'social'],
    ['https://www.youtube.com/watch?v=1', 'YouTube', 'video'],
    ['https://youtu.be/1', 'YouTube', 'video'],
    ['https://www.tiktok.com/', 'TikTok', 'video'],
    ['https://vimeo.com/1', 'Vimeo', 'video'],
    ['https://www.amazon.co.uk/dp/1', 'Amazon', 'shopping'],
    ['https://www.ebay.de/', 'eBay', 'shopping'],
    ['https://www.etsy.com/', 'Etsy', 'shopping'],
    ['https://outlook.live.com/', 'Outlook', 'email'],
    ['https://chatgpt.com/', 'ChatGPT', 'ai'],
    ['https://chat.openai.com/', 'ChatGPT', 'ai'],
    ['https://claude.ai/chat/1', 'Claude', 'ai'],
    ['https://www.perplexity.ai/search/x', 'Perplexity', 'ai'],
    ['https://copilot.microsoft.com/', 'Copilot', 'ai'],
    ['android-app://com.google.android.gm', 'Gmail', 'email'],
    ['android-app://com.google.android.gm/', 'Gmail', 'email'],
    [
      'android-app://com.google.android.googlequicksearchbox/https/www.google.com',
      'Google',
      'search',
    ],
    ['android-app://com.twitter.android', 'X', 'social'],
    ['android-app://com.slack/', 'Slack', 'social'],
    ['android-app://org.example.reader', 'org.example.reader', null],
    ['https://blog.example.org/post?x=1', 'blog.example.org', null],
    ['https://www.example.org/', 'example.org', null],
    ['https://alice.github.io/', 'alice.github.io', null],
    ['google.com', 'Google', 'search'],
    ['news.ycombinator.com/item?id=1', 'Hacker News', 'social'],
    // Look-alike domains with other owners.
    ['https://google.example.org/', 'google.example.org', null],
    ['https://google.com.evil.example/', 'google.com.evil.example', null],
    ['https://google.zip/', 'google.zip', null],
    ['https://notfacebook.com/', 'notfacebook.com', null],
    ['https://pinterest.constructor/', 'pinterest.constructor', null],
  ])('%s is %s (%s)', (referrer, source, category) => {
    const parsed = parseReferrer(referrer, 'www.mysite.example');
    expect(parsed).toMatchObject({ source, category });
    expect(parsed.referrer).not.toMatch(/[?#]/);
  });

  it.each([
    ['https://www.example.org/', 'example.org'],
    ['https://www.example.org/a/b/?q=1#x', 'example.org/a/b/'],
    ['https://jane:secret@example.org:8443/a', 'example.org/a'],
    ['https://example.org/a;jsessionid=1', 'example.org/a'],
    ['android-app://com.slack/', 'com.slack'],
  ])('%s is stored as %s', (referrer, stored) => {
    expect(parseReferrer(referrer, null).referrer).toBe(stored);
  });
});

describe('parseReferrer › direct', () => {
  it.each([
    ['', 'example.com'],
    ['   ', 'example.com'],
    ['https://example.com/a', 'example.com'],
    ['https://www.example.com/a', 'example.com'],
    ['https://example.com/a', 'www.EXAMPLE.com'],
    ['https://example.com./a', 'example.com'],
    ['http://example.com:3000/a', 'example.com'],
    ['about:blank', null],
    ['javascript:alert(1)', null],
    ['file:///C:/a.html', null],
    ['chrome-extension://abc/', null],
    ['android-app://', null],
    ['not a url', null],
    ['https://', null],
    ['https://exa\nmple.org/', null],
    ['null', null],
  ])('%j on %s', (referrer, own) => {
    expect(parseReferrer(referrer, own)).toBe(directVisit);
  });

  it('keeps another subdomain of the site as a referrer', () => {
    expect(parseReferrer('https://blog.example.com/', 'www.example.com').source).toBe(
      'blog.example.com',
    );
  });
});

describe('parseReferrer › properties of any input', () => {
  it('never throws, bounds every length, keeps no query', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'large' }),
      fc.string({ unit: 'binary', maxLength: 3000 }).map((path) => `https://example.org/${path}`),
    );
    fc.assert(
      fc.property(text, fc.option(fc.string({ unit: 'binary' })), (referrer, own) => {
        const parsed = parseReferrer(referrer, own);
        expect((parsed.referrer ?? '').length).toBeLessThanOrEqual(2048);
        expect((parsed.host ?? '').length).toBeLessThanOrEqual(253);
        expect((parsed.source ?? '').length).toBeLessThanOrEqual(253);
        expect(parsed.referrer ?? '').not.toContain('?');
      }),
      { numRuns: rounds(500, 2000) },
    );
  });
});

describe('the list of sources', () => {
  it('has no duplicate host or source', () => {
    const hosts = sources.flatMap(({ hosts }) => hosts.split(' '));
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(new Set(sources.map(({ name }) => name)).size).toBe(sources.length);
  });

  it('finds every source by its name and by its hosts', () => {
    for (const source of sources) {
      expect(findSourceByTag(source.name)).toBe(source);
      for (const host of source.hosts.split(' ')) {
        expect(parseReferrer(`https://${host.replace('.*', '.com')}/`, null).source).toBe(
          source.name,
        );
      }
    }
  });

  it('maps every Android app to its source', () => {
    for (const [app, name] of Object.entries(androidApps))
      expect(findSourceByAndroidApp(app)?.name).toBe(name);
    expect(findSourceByAndroidApp('constructor')).toBeNull();
  });
});

describe('host names', () => {
  it.each([
    ['WWW.Example.com', 'example.com', 'example.com'],
    ['shop.example.co.uk', 'shop.example.co.uk', 'example.co.uk'],
    ['example.co.uk', 'example.co.uk', 'example.co.uk'],
    ['a.b.example.com.', 'a.b.example.com', 'example.com'],
    ['localhost', 'localhost', 'localhost'],
    ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
    ['[2001:db8::1]', '[2001:db8::1]', '[2001:db8::1]'],
    ['', '', ''],
  ])('%s is %s without www. and belongs to %s', (hostname, bare, domain) => {
    expect(bareHostname(hostname)).toBe(bare);
    expect(siteDomain(hostname)).toBe(domain);
  });
});
