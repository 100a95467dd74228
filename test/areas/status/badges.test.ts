import { describe, expect, it } from 'vitest';
import { xml2js } from 'xml-js';
import { openPages } from './page-app.ts';
import { component, dayMs, daysUntil, noon, stateOf } from './page-states.ts';

const day = (worst: 'major_outage' | 'partial_outage', ms: number) => ({
  worst,
  ms: { [worst]: ms },
});
const state = () =>
  stateOf({
    indicator: 'major',
    description: 'Partial System Outage',
    components: [
      component('web', {
        name: 'Web <&> "site"',
        days: daysUntil(noon, (back) =>
          back === 1
            ? day('major_outage', dayMs / 10)
            : back === 20
              ? day('partial_outage', dayMs)
              : undefined,
        ),
      }),
      component('api', { status: 'major_outage', createdAt: noon - 30 * dayMs }),
      component('new', {
        status: 'under_maintenance',
        createdAt: noon,
        days: daysUntil(noon, () => ({ worst: 'no_data', ms: {} })),
      }),
      component('two-part-id'),
    ],
  });

const get = async (url: string, headers: Record<string, string> = {}) =>
  (await openPages({ state: state() })).inject({ url: `/status/badge/${url}`, headers });
const said = async (url: string) => {
  const { label, message, color } = (await get(url)).json<{
    label: string;
    message: string;
    color: string;
  }>();
  return [label, message, color];
};

describe('badges', () => {
  it('show the status of a component or the service, in the Shields endpoint schema', async () => {
    expect((await get('api.json')).json()).toEqual({
      schemaVersion: 1,
      label: 'api',
      message: 'major outage',
      color: 'red',
    });
    expect(await said('overall.json')).toEqual(['status', 'partial system outage', 'orange']);
    expect(await said('web.json')).toEqual(['Web <&> "site"', 'operational', 'brightgreen']);
    expect(await said('new.json')).toEqual(['new', 'under maintenance', 'blue']);
    expect(await said('two-part-id.json/')).toEqual(['two-part-id', 'operational', 'brightgreen']);
  });

  it('show the uptime: major outages count fully, partial ones 30 %', async () => {
    expect(await said('web.json?metric=uptime&days=1')).toEqual([
      'Web <&> "site" uptime 1d',
      '100%',
      'brightgreen',
    ]);
    // 0.1 of 6.5 days are down.
    expect(await said('web.json?metric=uptime&days=7')).toEqual([
      'Web <&> "site" uptime 7d',
      '98.46%',
      'yellow',
    ]);
    // 0.1 and 0.3 of 29.5 days are down.
    expect(await said('web.json?metric=uptime&days=30')).toEqual([
      'Web <&> "site" uptime 30d',
      '98.64%',
      'yellow',
    ]);
    expect(await said('web.json?metric=uptime')).toEqual([
      'Web <&> "site" uptime 90d',
      '99.55%',
      'green',
    ]);
    expect(await said('new.json?metric=uptime&days=7')).toEqual([
      'new uptime 7d',
      'no data',
      'lightgrey',
    ]);
    expect(await said('overall.json?metric=uptime&days=7')).toEqual([
      'uptime 7d',
      '99.48%',
      'green',
    ]);
  });

  it('are SVG images for any page, cached for a minute, with an ETag', async () => {
    const answer = await get('web.svg');
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(() => xml2js(answer.body)).not.toThrow();
    expect(answer.body).toContain('Web &lt;&amp;&gt; &quot;site&quot;: operational');
    expect(answer.body).not.toContain('<&>');
    expect(
      (await get('web.svg', { 'if-none-match': String(answer.headers.etag) })).statusCode,
    ).toBe(304);
    expect((await get('web.json')).headers['cache-control']).toBe('public, max-age=60');
  });

  it('of unknown components get 404, and invalid options are refused', async () => {
    for (const url of [
      'none.svg',
      'none.json',
      'none.svg?metric=uptime',
      'web.png',
      'web',
      '.svg',
      '__proto__.json',
    ])
      expect({ url, status: (await get(url)).statusCode }).toEqual({ url, status: 404 });
    for (const url of ['web.svg?metric=x', 'web.svg?days=2', 'web.json?days=x'])
      expect({ url, status: (await get(url)).statusCode }).toEqual({ url, status: 422 });
  });
});
