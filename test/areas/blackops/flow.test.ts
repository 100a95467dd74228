import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { clearByKey, createDeviceBrowser } from '../../support/devices.ts';

let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({ env: { DEVICE_FIRST: 'nobody' }, isEmbedded: true });
});
afterAll(() => app.close());

describe('an admin on a new laptop', () => {
  it('can not use the console until another admin on a cleared device clears it', async () => {
    const first = createDeviceBrowser(app);
    await first.signIn({ email: 'first@example.com', roles: ['admin'] });
    expect(await first.console()).toMatchObject({
      status: 403,
      body: {
        code: 'blackops.device_not_cleared',
        device_state: 'unknown',
        requirements: ['clearance'],
      },
    });
    const asked = await first.ask({ reason: 'new laptop' });
    expect(asked).toMatchObject({ status: 200, body: { state: 'pending', binding: 'cookie' } });
    expect(await clearByKey(app, asked, asAdmin.authorization)).toMatchObject({
      status: 200,
      body: { state: 'cleared' },
    });
    expect(await first.console()).toMatchObject({ status: 200, body: { states: { cleared: 1 } } });

    const second = createDeviceBrowser(app);
    await second.makeKey();
    await second.signIn({ email: 'second@example.com', roles: ['admin'] });
    const request = await second.ask({});
    expect(request).toMatchObject({ status: 200, body: { state: 'pending', binding: 'key' } });
    expect(await second.console()).toMatchObject({ status: 403 });
    expect(await second.approve(request.body.request_id, request.body.number)).toMatchObject({
      status: 403,
    });
    const list = await first.call('/api/auth/blackops/requests');
    expect(list).toMatchObject({
      status: 200,
      body: {
        total: 1,
        requests: [{ request_id: request.body.request_id, own: false, binding: 'key' }],
      },
    });
    expect(JSON.stringify(list.body)).not.toContain('"number"');
    expect(await first.approve(request.body.request_id, request.body.number)).toMatchObject({
      status: 200,
      body: { state: 'cleared' },
    });
    expect(await second.console()).toMatchObject({ status: 200 });
    expect(await second.status()).toMatchObject({
      status: 200,
      body: { state: 'cleared', binding: 'key', cleared: true, requirements: [] },
    });
    const me = await second.call('/api/auth/me');
    expect(me.body).toMatchObject({
      session: { device_state: 'cleared', device_id: request.body.device_id },
    });
  });
});

describe('the device cookie', () => {
  it('is set only by this host over HTTPS, and not readable by scripts', async () => {
    const https = await freshApp({
      env: { BASE_URL: 'https://console.example', DEVICE_FIRST: 'tofu' },
    });
    try {
      const browser = createDeviceBrowser(https);
      await browser.signIn({ email: 'https@example.com', roles: ['admin'] });
      const origin = { headers: { host: 'console.example', origin: 'https://console.example' } };
      const asked = await browser.call('/api/auth/blackops/request-clearance', {
        method: 'POST',
        body: { fingerprint: 'print' },
        ...origin,
      });
      expect(asked).toMatchObject({ status: 200, body: { state: 'cleared' } });
      expect(asked.headers['set-cookie']).toMatch(
        new RegExp(
          /^__Host-svc_device=[0-9a-f-]{36}\.[\w-]{70}; Max-Age=\d+; /.source +
            /Path=\/; HttpOnly; Secure; SameSite=Lax$/.source,
        ),
      );
      expect(await browser.call('/api/auth/blackops/dashboard', origin)).toMatchObject({
        status: 200,
      });
      const value = browser.jar.get('__Host-svc_device') ?? '';
      browser.jar.delete('__Host-svc_device');
      browser.jar.set('svc_device', value);
      expect(await browser.call('/api/auth/blackops/dashboard', origin)).toMatchObject({
        status: 403,
        body: { device_state: 'unknown' },
      });
    } finally {
      await https.close();
    }
  });
});
