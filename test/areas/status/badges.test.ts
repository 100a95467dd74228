import { describe, expect, it } from 'vitest';
import { xml2js } from 'xml-js';
import { dayMs } from '../../../src/lib/durations.ts';
import { request } from '../../support/client.ts';
import { openPages } from './page-app.ts';
import { component, daysWith, noon, stateOf, unknownDays } from './page-states.ts';

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
        days: daysWith((back) =>
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
        days: unknownDays(),
      }),
      component('two-part-id'),
    ],
  });

const get = async (url: string, headers: Record<string, string> = {}) =>
  request(await openPages({ state: state() }), { url: `/status/badge/${url}`, headers });

describe('badges', () => {
  it('show the status of a component or the service, in the Shields endpoint schema', async () => {
    expect((await get('api.json')).body).toEqual({
      schemaVersion: 1,
      label: 'api',
      message: 'major outage',
      color: 'red',
    });
  });

  it.each([
    ['overall.json', 'status', 'partial system outage', 'orange'],
    ['web.json', 'Web <&> "site"', 'operational', 'brightgreen'],
    ['new.json', 'new', 'under maintenance', 'blue'],
    ['two-part-id.json/', 'two-part-id', 'operational', 'brightgreen'],
  ])('at %s say that %s is %s, in %s', async (url, label, message, color) => {
    expect((await get(url)).body).toMatchObject({ label, message, color });
  });

  it.each([
    ['web', 'Web <&> "site" uptime', 1, '100%', 'brightgreen'],
    // 0.1 of 6.5 days are down.
    ['web', 'Web <&> "site" uptime', 7, '98.46%', 'yellow'],
    // 0.1 and 0.3 of 29.5 days are down.
    ['web', 'Web <&> "site" uptime', 30, '98.64%', 'yellow'],
    ['web', 'Web <&> "site" uptime', 90, '99.55%', 'green'],
    ['new', 'new uptime', 7, 'no data', 'lightgrey'],
    ['overall', 'uptime', 7, '99.48%', 'green'],
  ])('of %s show as %s of %i days %s, in %s', async (id, label, days, message, color) => {
    const period = days === 90 ? '' : `&days=${days}`;
    const { body } = await get(`${id}.json?metric=uptime${period}`);
    expect(body).toMatchObject({ label: `${label} ${days}d`, message, color });
  });

  it('are SVG images for any page, cached for a minute, with an ETag', async () => {
    const answer = await get('web.svg');
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(() => xml2js(answer.text)).not.toThrow();
    expect(answer.text).toContain('Web &lt;&amp;&gt; &quot;site&quot;: operational');
    expect(answer.text).not.toContain('<&>');
    const unchanged = { 'if-none-match': String(answer.headers.etag) };
    expect(await get('web.svg', unchanged)).toMatchObject({ status: 304 });
    expect((await get('web.json')).headers['cache-control']).toBe('public, max-age=60');
  });

  it.each([
    'none.svg',
    'none.json',
    'none.svg?metric=uptime',
    'web.png',
    'web',
    '.svg',
    '__proto__.json',
  ])('of unknown components do not exist: %s', async (url) => {
    expect(await get(url)).toMatchObject({ status: 404 });
  });

  it.each(['web.svg?metric=x', 'web.svg?days=2', 'web.json?days=x'])(
    'are refused with invalid options: %s',
    async (url) => {
      expect(await get(url)).toMatchObject({ status: 422 });
    },
  );
});
