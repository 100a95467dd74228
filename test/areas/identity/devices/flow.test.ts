import { afterAll, describe, expect } from 'vitest';
import { freshApp } from '../../../support/app.ts';
import { mount } from '../../../support/devices.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { createDeviceLab } from './support.ts';

describe('an admin on a new laptop', async () => {
  const app = await freshApp({ env: { DEVICE_FIRST: 'nobody' }, isEmbedded: true });
  afterAll(() => app.close());

  it('can not use the console until another admin on a cleared device clears it', async () => {
    const lab = createDeviceLab(app, Date);
    const first = await lab.signedIn();
    const refused = await first.console();
    expect(refused).toBeProblem(403, 'blackops.device_not_cleared');
    expect(refused.body).toMatchObject({ device_state: 'unknown', requirements: ['clearance'] });
    const asked = await first.ask({ reason: 'new laptop' });
    expect(asked).toMatchObject({ status: 200, body: { state: 'pending', binding: 'cookie' } });
    expect(await lab.clear(asked)).toMatchObject({ status: 200, body: { state: 'cleared' } });
    expect(await first.console()).toMatchObject({ status: 200, body: { states: { cleared: 1 } } });

    const second = lab.newBrowser();
    await second.makeKey();
    await second.signIn({ email: lab.newEmail(), roles: ['admin'] });
    const request = await second.ask();
    expect(request).toMatchObject({ status: 200, body: { state: 'pending', binding: 'key' } });
    const { request_id: id, device_id: deviceId, number } = request.body;
    expect(await second.console()).toMatchObject({ status: 403 });
    expect(await second.approve(id, number)).toMatchObject({ status: 403 });
    const list = await first.call(`${mount}/requests`);
    expect(list).toMatchObject({
      status: 200,
      body: { total: 1, requests: [{ request_id: id, own: false, binding: 'key' }] },
    });
    expect(list.text).not.toContain('"number"');
    expect(await first.approve(id, number)).toMatchObject({
      status: 200,
      body: { state: 'cleared' },
    });
    expect(await second.console()).toMatchObject({ status: 200 });
    expect(await second.status()).toMatchObject({
      status: 200,
      body: { state: 'cleared', binding: 'key', cleared: true, requirements: [] },
    });
    expect((await second.call('/api/auth/me')).body).toMatchObject({
      session: { device_state: 'cleared', device_id: deviceId },
    });
  });
});

describe('the email to the owner of a device', async () => {
  // On a server: what is not awaited is queued after the response, and would be missed.
  const app = await freshApp({ env: { DEVICE_FIRST: 'nobody' } });
  const lab = createDeviceLab(app, Date);
  const { browser: admin } = await lab.cleared({ email: 'boss@example.com' });
  const owner = await lab.signedIn({ email: 'owner@example.com' });
  let deviceId = '';
  afterAll(() => app.close());

  /** Jobs that wait: no job of this app runs. */
  async function waiting(): Promise<number> {
    const { handlers } = await app.services.queues.observe();
    return handlers.reduce((sum, { waiting: count }) => sum + (count ?? 0), 0);
  }
  async function request() {
    const asked = await owner.ask();
    deviceId = String(asked.body.device_id);
    return asked;
  }

  it.each<[string, () => Promise<{ status: number }>]>([
    ['requests approval', request],
    ['is approved', async () => lab.clear(await request())],
    ['is suspended by an admin', () => admin.suspend(deviceId)],
    ['is restored by an admin', () => admin.restore(deviceId)],
    ['is removed by an admin', () => admin.revoke({ device_id: deviceId })],
  ])('is in the queue before the response when the device %s', async (_step, step) => {
    const before = await waiting();
    expect(await step()).toMatchObject({ status: 200 });
    expect(await waiting()).toBe(before + 1);
  });
});

describe('the device cookie', () => {
  it('is set only by this host over HTTPS, and not readable by scripts', async () => {
    const named = await sharedApp('named');
    const browser = await createDeviceLab(named, Date).signedIn();
    const at = { headers: { host: 'svc.example', origin: 'https://svc.example' } };
    const openConsole = () => browser.call(`${mount}/dashboard`, at);
    const asked = await browser.post(`${mount}/request-clearance`, { fingerprint: 'print' }, at);
    expect(asked).toMatchObject({ status: 200, body: { state: 'cleared' } });
    const attributes = /Path=\/; HttpOnly; Secure; SameSite=Lax$/.source;
    expect(asked.headers['set-cookie']).toMatch(
      new RegExp(
        `${/^__Host-svc_device=[0-9a-f-]{36}\.[\w-]{70}; Max-Age=\d+; /.source}${attributes}`,
      ),
    );
    expect(await openConsole()).toMatchObject({ status: 200 });
    browser.jar.set('svc_device', browser.jar.get('__Host-svc_device') ?? '');
    browser.jar.delete('__Host-svc_device');
    expect(await openConsole()).toMatchObject({ status: 403, body: { device_state: 'unknown' } });
  });
});
