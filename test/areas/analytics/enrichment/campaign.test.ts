import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCampaignKey, parseCampaign } from '../../../../src/areas/analytics/links/campaign.ts';
import { rounds } from '../../../support/rounds.ts';

const NONE = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  clickId: null,
};

describe('parseCampaign', () => {
  it('reads the five UTM parameters', () => {
    expect(
      parseCampaign(
        'https://example.com/?utm_source=google&utm_medium=cpc' +
          '&utm_campaign=spring+sale&utm_term=r%C3%B6d&utm_content=a%2Fb',
      ),
    ).toEqual({
      ...NONE,
      utmSource: 'google',
      utmMedium: 'cpc',
      utmCampaign: 'spring sale',
      utmTerm: 'röd',
      utmContent: 'a/b',
    });
  });

  it.each([
    ['/?ref=producthunt', { utmSource: 'producthunt' }],
    ['/?source=app&ref=hn', { utmSource: 'app' }],
    ['/?ref=hn&source=app&utm_source=x', { utmSource: 'x' }],
    ['/?UTM_Source=Google', { utmSource: 'Google' }],
    ['/?utm_source=a&utm_source=b', { utmSource: 'a' }],
    ['/?utm_source=&utm_source=b', { utmSource: 'b' }],
    ['/?utm_source=%20%20', {}],
    ['/?utm_source=a%00b%0Ac', { utmSource: 'a b c' }],
    ['/?utm_source=100%', { utmSource: '100%' }],
    ['/?utm_content=jane%40example.com', {}],
    ['/?utm_source=a#/route?utm_medium=b', { utmSource: 'a', utmMedium: 'b' }],
    ['/#/route?utm_source=a', { utmSource: 'a' }],
    ['/?utm_source=a#section', { utmSource: 'a' }],
    ['/?gclid=abc', { clickId: { kind: 'gclid', value: 'abc' } }],
    ['/?fbclid=f&gclid=g', { clickId: { kind: 'gclid', value: 'g' } }],
    ['/?li_fat_id=1', { clickId: { kind: 'li_fat_id', value: '1' } }],
    ['/?ScCid=1', { clickId: { kind: 'sccid', value: '1' } }],
    ['/?yclid=1', { clickId: { kind: 'yclid', value: '1' } }],
    ['/pricing', {}],
    ['/pricing?x=1', {}],
    ['', {}],
    ['utm_source=a', {}],
  ])('%s gives %j', (url, expected) => {
    expect(parseCampaign(url)).toEqual({ ...NONE, ...expected });
  });

  it('truncates values to 255 UTF-16 units and never splits a character', () => {
    expect(parseCampaign(`/?utm_source=${'a'.repeat(300)}`).utmSource).toHaveLength(255);
    expect(parseCampaign(`/?utm_source=${'a'.repeat(254)}😀`).utmSource).toBe('a'.repeat(254));
    expect(parseCampaign(`/?gclid=${'a'.repeat(300)}`).clickId?.value).toHaveLength(255);
  });

  it('never throws and bounds every value, for any input', () => {
    const part = fc.tuple(
      fc.constantFrom('utm_source', 'utm_medium', 'utm_term', 'ref', 'gclid', 'ttclid', 'x'),
      fc.string({ unit: 'binary', maxLength: 600 }),
    );
    const url = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(part)
        .map((parts) => `/?${parts.map(([key, value]) => `${key}=${value}`).join('&')}`),
    );
    fc.assert(
      fc.property(url, (text) => {
        const { clickId, ...tags } = parseCampaign(text);
        for (const value of [...Object.values(tags), clickId?.value ?? null]) {
          if (value === null) continue;
          expect(value.length).toBeGreaterThan(0);
          expect(value.length).toBeLessThanOrEqual(255);
          expect(value).not.toMatch(/[\u0000-\u001f]/);
        }
      }),
      { numRuns: rounds(500, 2000) },
    );
  });

  it('treats tags and click ids as campaign keys, but not page parameters', () => {
    expect(['utm_source', 'UTM_ID', 'gclid', 'fbclid', '_gl'].every(isCampaignKey)).toBe(true);
    expect(['ref', 'source', 'id', 'constructor', ''].some(isCampaignKey)).toBe(false);
  });
});
