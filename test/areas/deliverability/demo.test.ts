import { brandNamed } from '../../support/brand.ts';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createDeliverability } from '../../../src/areas/deliverability/service.ts';
import { createPlaces } from '../../../src/areas/deliverability/places.ts';
import { deliverabilityPages } from '../../../src/areas/deliverability/routes.ts';
import { createSiteLayout } from '../../../src/platform/ui/pages.tsx';
import { testAssets } from '../../support/app.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';
import { describedBy, titleOf } from '../../surfaces/pages/support.ts';

const path = '/demo/deliverability/';

/** The pages with a store without zones. */
async function open(): Promise<FastifyInstance> {
  const assets = await testAssets();
  return withPublicRoutes(createTestHttp(), (routes) => {
    const store = { match: async () => undefined, hasArea: async () => false };
    const clock = { now: () => 0 };
    const site = {
      brand: brandNamed('Acme'),
      baseUrl: 'https://svc.example',
      menu: [],
      smallPrint: [],
    };
    void routes.register(deliverabilityPages, {
      deliverability: createDeliverability({ store, places: createPlaces(), clock }),
      siteLayout: createSiteLayout({ assets, ...site }),
    });
  });
}

const app = await open();

/** Submits the form as a browser, or posts another body. */
const submit = (
  form: Record<string, string> | string,
  type = 'application/x-www-form-urlencoded',
) =>
  app.inject({
    method: 'POST',
    url: path,
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: { accept: 'text/html', 'content-type': type },
  });

describe('the demo', () => {
  it('is a cacheable form without a script', async () => {
    const page = await app.inject(path);
    const { headers, body } = page;
    expect(page).toMatchObject({
      statusCode: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=300',
      },
    });
    expect(body).not.toContain('<script');
    const cached = { 'if-none-match': String(headers.etag) };
    const again = await app.inject({ url: path.slice(0, -1), headers: cached });
    expect(again.statusCode).toBe(304);
    expect(body.match(/<option /g)?.length).toBeGreaterThan(180);
    expect(body).toContain('<option value="US" selected>United States</option>');
  });

  it('shows the facts about a code, and without zones how to add them', async () => {
    const { statusCode, headers, body } = await submit({ zip: ' sw1a1aa ', country: 'uk' });
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(titleOf(body)).toBe('SW1A 1AA has a valid format – Acme');
    expect(body).toContain('<dt>Delivery</dt><dd>Unknown: no delivery zones are set up</dd>');
    expect(body).toContain('href="/developer/guides/deliverability-and-geoip"');
    expect((await submit({ zip: '94107', country: 'US' })).body).toContain(
      '<dd>Yes: San Francisco, CA</dd>',
    );
  });

  it.each([
    [{ zip: '', country: 'US' }, 'Enter a postal code.'],
    [{ zip: '9410', country: 'US' }, 'This doesn’t match'],
    [{ zip: 'x'.repeat(99), country: 'US' }, 'This doesn’t match'],
    [{ zip: '"><script>', country: 'GB' }, 'This doesn’t match'],
    [{ country: 'DE' }, 'Enter a postal code.'],
  ])('answers %j with the form again, and the error tied to its field', async (form, error) => {
    const { statusCode, headers, body } = await submit(form);
    expect(statusCode).toBe(422);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(titleOf(body)).toBe('Error: Check a postal code – Acme');
    expect(describedBy(body, 'zip')).toContain(error);
    expect(body).toContain('aria-invalid="true"');
    expect(body).not.toContain('<script');
  });

  it('refuses a country that is not in the list', async () => {
    const { statusCode, body } = await submit({ zip: '94107', country: 'XX' });
    const select = /<select [^>]*id="country"[^>]*>/.exec(body)?.[0];
    expect(statusCode).toBe(422);
    expect(select).toContain('aria-describedby="country-error" aria-invalid="true"');
  });

  it.each([
    ['an empty form', 422, '', undefined],
    ['broken JSON', 422, '{"zip":', 'application/json'],
    ['a code given twice', 422, 'zip=94107&zip=10001', undefined],
    ['plain text', 415, 'zip=94107', 'text/plain'],
    ['a large form', 413, 'x'.repeat(5000), undefined],
  ])('answers %s with %i', async (_what, status, form, type) => {
    expect((await submit(form, type)).statusCode).toBe(status);
  });

  it('answers a program with a problem', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await app.inject({ method: 'POST', url: path, payload: 'zip=94107', headers });
    expect(answer).toBeProblem(415, 'request.unsupported_media_type');
  });
});
