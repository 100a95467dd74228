import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePageUrl, type PageUrl } from '../../../../src/areas/analytics/enrichment/page-url.ts';
import {
  isSecretKey,
  normaliseEscapes,
} from '../../../../src/areas/analytics/links/query-params.ts';
import { rounds } from '../../../support/rounds.ts';

function page(url: string): PageUrl {
  const parsed = parsePageUrl(url);
  if ('error' in parsed) throw new Error(`${url} was refused: ${parsed.error}`);
  return parsed;
}

const urlish = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2100 }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .array(
      fc.constantFrom(
        ...String.raw`/ // \ .. . ? # #/ #!/ & = % %2 %25 %74 %2F %3f %40 ; ;a=b @ : a www.`.split(
          ' ',
        ),
        ...'token utm_source http:// https:// example.com :443 :8080 ü 中 \ud800'.split(' '),
        ...`+ \` ' " { ^ | user:pw@ x=1 [::1] \u0000`.split(' '),
        ' ',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);

describe('parsePageUrl › paths', () => {
  it.each([
    ['/', '/', null],
    ['/pricing', '/pricing', null],
    ['/pricing/', '/pricing/', null],
    ['pricing', '/pricing', null],
    ['pricing?x=1', '/pricing', 'x=1'],
    ['?x=1', '/', 'x=1'],
    ['/pricing?x=1', '/pricing', 'x=1'],
    ['/pricing?', '/pricing', null],
    ['/a//b', '/a//b', null],
    ['//evil.example/x', '/evil.example/x', null],
    ['/\\evil.example/x', '/evil.example/x', null],
    ['/a/../b/./c', '/b/c', null],
    ['/a/%2e%2e/b', '/b', null],
    ['/%7euser/%c3%bc', '/~user/%C3%BC', null],
    ['/über uns', '/%C3%BCber%20uns', null],
    ['/100%', '/100%25', null],
    ['/a%2fb', '/a%2Fb', null],
    ['/cart;jsessionid=1A2B/items', '/cart/items', null],
    ['/a/..;x=1/b', '/b', null],
    ['/docs#install', '/docs', null],
    ['/app#/settings', '/app#/settings', null],
    ['/app#!/settings?tab=2', '/app#!/settings', 'tab=2'],
    ['/app?a=1#/settings?b=2&token=x', '/app#/settings', 'a=1&b=2'],
    ['/@user/post:1', '/@user/post:1', null],
    [' /pricing ', '/pricing', null],
  ])('%s is %s with query %s', (url, pathname, query) => {
    const href = pathname + (query === null ? '' : `?${query}`);
    expect(parsePageUrl(url)).toEqual({ hostname: null, pathname, query, href });
  });
});

describe('parsePageUrl › absolute URLs', () => {
  it.each([
    ['https://example.com', 'example.com', '/', 'https://example.com/'],
    ['HTTPS://WWW.Example.COM/A', 'www.example.com', '/A', 'https://www.example.com/A'],
    ['https://example.com:443/', 'example.com', '/', 'https://example.com/'],
    ['http://example.com:80/', 'example.com', '/', 'http://example.com/'],
    ['http://localhost:3000/x', 'localhost', '/x', 'http://localhost:3000/x'],
    ['https://example.com./x', 'example.com', '/x', 'https://example.com/x'],
    ['https://user:secret@example.com/x', 'example.com', '/x', 'https://example.com/x'],
    ['https://bücher.example/', 'xn--bcher-kva.example', '/', 'https://xn--bcher-kva.example/'],
    ['https://example.com//a', 'example.com', '/a', 'https://example.com/a'],
    ['http://[2001:DB8::1]/x', '[2001:db8::1]', '/x', 'http://[2001:db8::1]/x'],
    ['https://example.com/#/r?sid=9', 'example.com', '/#/r', 'https://example.com/#/r'],
  ])('%s has host %s, path %s', (url, hostname, pathname, href) => {
    expect(parsePageUrl(url)).toEqual({ hostname, pathname, query: null, href });
  });
});

describe('parsePageUrl › refusals', () => {
  it.each([
    ['javascript:alert(1)', 'url_scheme'],
    ['JavaScript:alert(1)', 'url_scheme'],
    ['data:text/html,x', 'url_scheme'],
    ['mailto:a@example.com', 'url_scheme'],
    ['file:///etc/passwd', 'url_scheme'],
    ['blob:https://example.com/1', 'url_scheme'],
    ['android-app://com.example', 'url_scheme'],
    ['localhost:3000/x', 'url_scheme'],
    ['', 'url_invalid'],
    ['   ', 'url_invalid'],
    ['/a\u0000b', 'url_invalid'],
    ['/a\nb', 'url_invalid'],
    ['java\tscript:alert(1)', 'url_invalid'],
    ['https://', 'url_invalid'],
    ['https:///x', 'url_invalid'],
    ['https:example.com', 'url_invalid'],
    ['https://exa mple.com/', 'url_invalid'],
    ['https://[::1/', 'url_invalid'],
    ['https://a..example/', 'url_invalid'],
    ['https://..', 'url_invalid'],
    ['https://example.com:99999/', 'url_invalid'],
    [`https://${'a'.repeat(400)}.com/`, 'url_invalid'],
    [`/${'a'.repeat(2048)}`, 'url_too_long'],
    [`/${'ü'.repeat(1024)}`, 'url_too_long'],
    [`/${'ü'.repeat(400)}`, 'url_too_long'],
  ])('refuses %j as %s', (url, error) => {
    expect(parsePageUrl(url)).toEqual({ error });
  });

  it('accepts exactly 2,048 bytes', () => {
    expect(page(`/${'a'.repeat(2047)}`).pathname).toHaveLength(2048);
  });
});

describe('parsePageUrl › query', () => {
  it.each([
    ['/x?a=1&token=SECRET&b=2', 'a=1&b=2'],
    ['/x?TOKEN=SECRET', null],
    ['/x?%74oken=SECRET', null],
    ['/x?reset_token=SECRET&access-token=SECRET&X-Amz-Signature=SECRET', null],
    ['/x?user[email]=SECRET&user%5Bpassword%5D=SECRET&email[0]=SECRET', null],
    ['/x?e-mail=SECRET&otp=SECRET&code=SECRET&PHPSESSID=SECRET&phone=SECRET&apiKey=SECRET', null],
    ['/x?next=/reset?token=SECRET', 'next=/reset'],
    ['/x?next=%2Freset%3Ftoken%3DSECRET', 'next=%2Freset'],
    ['/x?next=%252Freset%253Ftoken%253DSECRET', 'next=%252Freset'],
    ['/x?to=https%3A%2F%2Fa.example%2F%23access_token%3DSECRET', 'to=https%3A%2F%2Fa.example%2F'],
    ['/x?q=token%3DSECRET', 'q=token'],
    ['/x?who=jane.SECRET@example.com&a=1', 'a=1'],
    ['/x?who=jane.SECRET%40example.com', null],
    ['/x?utm_source=a&utm_custom=b&gclid=c&fbclid=d&MSCLKID=e&_ga=f&mc_eid=g&a=1', 'a=1'],
    ['/x?ref=hn&source=app', 'ref=hn&source=app'],
    ['/x?q=AT%26T&lang=c%23&r=a+b', 'q=AT%26T&lang=c%23&r=a+b'],
    ['/x?&&a=1&&', 'a=1'],
    ['/x?flag&a', 'flag&a'],
    [
      '/x?barcode=1&laptop=2&iphone=3&monkey=4&design=5&state=CA',
      'barcode=1&laptop=2&iphone=3&monkey=4&design=5&state=CA',
    ],
  ])('%s keeps %s', (url, query) => {
    expect(page(url).query).toBe(query);
    expect(page(url).href).not.toContain('SECRET');
  });

  it('keeps 50 parameters and drops a secret one after them', () => {
    const many = Array.from({ length: 60 }, (_, index) => `p${index}=1`).join('&');
    expect(page(`/x?${many}&token=SECRET`).query?.split('&')).toHaveLength(50);
  });
});

describe('parsePageUrl › properties of any input', () => {
  it('never throws, bounds every length, starts every path with one slash', () => {
    fc.assert(
      fc.property(urlish, (url) => {
        const parsed = parsePageUrl(url);
        if ('error' in parsed) return;
        expect(parsed.href.length).toBeLessThanOrEqual(2048);
        expect(parsed.pathname).toMatch(/^\/(?![/\\])/);
        expect((parsed.hostname ?? '').length).toBeLessThanOrEqual(253);
        expect(parsed.href).toMatch(/^[\x21-\x7e]+$/);
        expect(parsed.query).not.toBe('');
      }),
      { numRuns: rounds(1000, 5000) },
    );
  });

  it('gives the same result for its own href', () => {
    fc.assert(
      fc.property(urlish, (url) => {
        const parsed = parsePageUrl(url);
        if (!('error' in parsed)) expect(parsePageUrl(parsed.href)).toEqual(parsed);
      }),
      { numRuns: rounds(1000, 5000) },
    );
  });

  it('never keeps the value of a secret key, wherever it appears', () => {
    const key = fc.constantFrom(
      ...'token access_token ID_TOKEN password pwd email e-mail code otp'.split(' '),
      ...'api_key sid signature Phone'.split(' '),
    );
    const other = fc
      .stringMatching(/^[a-z]{1,8}=[a-z0-9]{0,8}$/)
      .filter((part) => !isSecretKey(part.split('=')[0] ?? ''));
    const prefix = fc.constantFrom(
      ...'/a? /a#/r? https://www.example.com/? b?x=1#!/r? /a;'.split(' '),
    );
    const others = fc.array(other, { maxLength: 5 });
    fc.assert(
      fc.property(prefix, key, others, fc.nat(5), (urlStart, name, parts, at) => {
        const secret = `${name}=S3CR3TVALUE`;
        const joined = urlStart.endsWith(';')
          ? `${secret}?${parts.join('&')}`
          : parts.toSpliced(at, 0, secret).join('&');
        expect(page(urlStart + joined).href).not.toContain('S3CR3TVALUE');
      }),
      { numRuns: 1000 },
    );
  });

  it('normalises escapes idempotently', () => {
    fc.assert(
      fc.property(urlish, (text) => {
        const once = normaliseEscapes(text);
        expect(normaliseEscapes(once)).toBe(once);
      }),
      { numRuns: rounds(1000, 5000) },
    );
  });
});
