import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createDeliverability } from '../../../src/areas/deliverability/checking.ts';
import { createPlaces } from '../../../src/areas/deliverability/places.ts';
import { deliverabilityDemoRoutes } from '../../../src/areas/deliverability/routes.demo.ts';
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
    const deliverability = createDeliverability({
      store,
      places: createPlaces(),
      clock: { now: () => 0 },
    });
    void routes.register(deliverabilityDemoRoutes, {
      deliverability,
      siteLayout: createSiteLayout({
        assets,
        appName: 'Acme',
        baseUrl: 'https://svc.example',
        menu: [],
        smallPrint: [],
      }),
    });
  });
}

async function submit(
  app: FastifyInstance,
  form: Record<string, string> | string,
  contentType = 'application/x-www-form-urlencoded',
) {
  const response = await app.inject({
    method: 'POST',
    url: path,
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: { accept: 'text/html', 'content-type': contentType },
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    title: titleOf(response.body).replace(' – Acme', ''),
  };
}

describe('the demo', () => {
  it('is a cacheable form without a script', async () => {
    const app = await open();
    const { statusCode, headers, body } = await app.inject(path);
    expect({
      statusCode,
      'content-type': headers['content-type'],
      'cache-control': headers['cache-control'],
      includes: body.includes('<script'),
    }).toEqual({
      statusCode: 200,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
      includes: false,
    });
    expect(
      (
        await app.inject({
          url: path.slice(0, -1),
          headers: { 'if-none-match': String(headers.etag) },
        })
      ).statusCode,
    ).toBe(304);
    expect(body.match(/<option /g)?.length).toBeGreaterThan(180);
    expect(body).toContain('<option value="US" selected>United States</option>');
  });

  it('shows the facts about a code, and without zones how to add them', async () => {
    const { status, title, text, headers } = await submit(await open(), {
      zip: ' sw1a1aa ',
      country: 'uk',
    });
    expect({ status, title, 'cache-control': headers['cache-control'] }).toEqual({
      status: 200,
      title: 'SW1A 1AA has a valid format',
      'cache-control': 'no-store',
    });
    expect(text).toContain('<dt>Delivery</dt><dd>Unknown: no delivery zones are set up</dd>');
    expect(text).toContain('href="/developer/guides/deliverability-and-geoip"');
    expect((await submit(await open(), { zip: '94107', country: 'US' })).text).toContain(
      '<dd>Yes: San Francisco, CA</dd>',
    );
  });

  it.each([
    [{ zip: '', country: 'US' }, 'Enter a postal code.'],
    [{ zip: '9410', country: 'US' }, 'This doesn’t match'],
    [{ zip: 'x'.repeat(99), country: 'US' }, 'This doesn’t match'],
    [{ zip: '"><script>', country: 'GB' }, 'This doesn’t match'],
    [{ country: 'DE' }, 'Enter a postal code.'],
  ])('422 › %j: the form again, with the error tied to its field', async (form, error) => {
    const { status, title, text, headers } = await submit(await open(), form);
    expect({ status, title, 'content-type': headers['content-type'] }).toEqual({
      status: 422,
      title: 'Error: Check a postal code',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(describedBy(text, 'zip')).toContain(error);
    expect(text).toContain('aria-invalid="true"');
    expect(text).not.toContain('<script');
  });

  it('422 › a country that is not in the list, and a body that is not a form', async () => {
    const app = await open();
    const { status, text } = await submit(app, { zip: '94107', country: 'XX' });
    const select = /<select [^>]*id="country"[^>]*>/.exec(text)?.[0];
    expect(status).toBe(422);
    expect(select).toContain('aria-describedby="country-error country-hint" aria-invalid="true"');
    for (const [body, type] of [
      ['', 'application/x-www-form-urlencoded'],
      ['{"zip":', 'application/json'],
      ['zip=94107&zip=10001', 'application/x-www-form-urlencoded'],
    ] as const)
      expect({ body, status: (await submit(app, body, type)).status }).toEqual({
        body,
        status: 422,
      });
    expect((await submit(app, 'zip=94107', 'text/plain')).status).toBe(415);
    const program = await app.inject({
      method: 'POST',
      url: path,
      payload: 'zip=94107',
      headers: { 'content-type': 'text/plain' },
    });
    expect({ status: program.statusCode, 'content-type': program.headers['content-type'] }).toEqual(
      { status: 415, 'content-type': 'application/problem+json; charset=utf-8' },
    );
    expect((await submit(app, 'x'.repeat(5000))).status).toBe(413);
  });
});
