import { describe, expect } from 'vitest';
import { minuteMs } from '../../../../../src/lib/durations.ts';
import { parallel } from '../../../../support/abuse.ts';
import { asAdmin, freshApp } from '../../../../support/app.ts';
import { TestClient } from '../../../../support/client.ts';
import { type DeviceBrowser, mount } from '../../../../support/devices.ts';
import { type Profile, sharedApp } from '../../../../support/shared-app.ts';
import { it } from '../../../../support/test.ts';
import { createDeviceLab, createTestClock, pendingRequest, withFactor } from '../support.ts';

const clock = createTestClock();
const { pass } = clock;

/** People and devices in a shared app, or in an app of its own with this policy. */
async function useLab(policy: Profile | Record<string, string>) {
  const isShared = typeof policy === 'string';
  const app = await (isShared ? sharedApp(policy, { clock }) : freshApp({ env: policy, clock }));
  const lab = createDeviceLab(app, clock);
  return Object.assign(lab, {
    async countCleared(): Promise<number> {
      const devices = lab.app.stores.db.selectFrom('devices').select('id');
      return (await devices.where('cleared_at', 'is not', null).execute()).length;
    },
    async expectPending(...who: Parameters<typeof lab.signedIn>): Promise<void> {
      expect(await (await lab.signedIn(...who)).ask()).toMatchObject(pendingRequest);
    },
  });
}

describe('DEVICE_FIRST=first_admin', async () => {
  const lab = await useLab('plain');
  const amr = ['setup'];

  it('does not clear devices of non-admins, old accounts or old sign-ins by link', async () => {
    await lab.expectPending({ roles: ['viewer'], amr });
    await lab.expectPending({ roles: [], amr });
    const linked = await lab.signedIn({ amr });
    const { email } = linked.self;
    pass(10 * minuteMs + 1000);
    expect(await linked.ask()).toMatchObject(pendingRequest);
    await lab.expectPending({ email });
    await lab.expectPending({ email, ...withFactor });
    expect(await lab.countCleared()).toBe(0);
  });

  it('clears one device when ten admins ask concurrently', async () => {
    const browsers: DeviceBrowser[] = [];
    while (browsers.length < 10) browsers.push(await lab.signedIn({ amr }));
    const responses = await Promise.all(browsers.map(({ ask }) => ask()));
    const bodies = responses.map(({ body }) => body);
    const [first, ...others] = bodies.filter(({ state }) => state === 'cleared');
    expect(others).toEqual([]);
    expect(bodies.filter(({ state }) => state === 'pending')).toHaveLength(9);
    expect(first).toMatchObject({ number: null, request_id: null });
    expect(await lab.entries(first?.device_id)).toMatchObject([
      {
        action: 'device.cleared',
        reason: 'first_admin',
        by: 'system',
        details: { from: 'unknown', to: 'cleared' },
      },
    ]);
  });

  it('clears no second device, even after the first was removed', async () => {
    const { id } = await lab.app.stores.db
      .selectFrom('devices')
      .select('id')
      .where('state', '=', 'cleared')
      .executeTakeFirstOrThrow();
    await lab.revokeBySystem(id);
    await lab.expectPending({ amr });
    expect(await lab.countCleared()).toBe(1);
  });
});

describe('DEVICE_FIRST=nobody with DEVICE_BINDING=key', async () => {
  const lab = await useLab({ DEVICE_FIRST: 'nobody', DEVICE_BINDING: 'key' });

  it('clears no device without an approval: by link, or by a fresh second factor', async () => {
    await lab.expectPending({ amr: ['setup'] });
    const browser = await lab.signedIn(withFactor);
    const responses = await parallel(20, () => lab.copy(browser).ask());
    const ids = new Set(responses.map(({ body }) => body.device_id));
    expect(ids.size).toBe(1);
    for (const id of ids) expect(await lab.actions(id)).toEqual(['device.requested']);
    expect(await lab.countCleared()).toBe(0);
  });

  it('does not clear a denied device again', async () => {
    const { browser, requestId, deviceId } = await lab.pending();
    await new TestClient(lab.app).as(asAdmin).post(`${mount}/requests/${requestId}/deny`, {});
    await browser.signIn(withFactor);
    expect(await browser.ask()).toBeProblem(403, 'blackops.device_denied');
    expect(await lab.stateOf(deviceId)).toBe('denied');
  });

  it('refuses a device with only a cookie, and admits one that proves its key', async () => {
    const { browser: weak } = await lab.cleared();
    expect(await weak.console()).toMatchObject({
      status: 403,
      body: { device_state: 'cleared', requirements: ['stronger_binding'] },
    });
    const { browser: strong } = await lab.cleared({}, { hasKey: true });
    expect(await strong.console()).toMatchObject({ status: 200 });
    expect(await lab.copy(strong, { address: '198.51.100.3' }).console()).toMatchObject({
      status: 403,
      body: { requirements: ['key_proof'] },
    });
  });
});

describe('DEVICE_BINDING=none with DEVICE_FIRST=first_admin', async () => {
  const lab = await useLab('people');

  it('clears no first device when ADMIN_API_KEY has cleared one before', async () => {
    const { asked } = await lab.pending({ roles: [] });
    expect(await lab.clear(asked)).toMatchObject({ status: 200 });
    await lab.expectPending({ amr: ['setup'] });
    expect(await lab.countCleared()).toBe(1);
  });

  it('admits only admins, and nobody decides on their own request', async () => {
    const { browser, requestId, number } = await lab.pending();
    expect(await browser.console()).toMatchObject({ status: 200 });
    const viewer = await lab.signedIn({ roles: ['viewer'] });
    expect(await viewer.console()).toMatchObject({ status: 403 });
    expect(await browser.approve(requestId, number)).toBeProblem(403, 'blackops.own_request');
    pass(5 * minuteMs + 1000);
    const other = await lab.pending();
    expect(await browser.approve(other.requestId, other.number)).toBeProblem(
      401,
      'auth.step_up_required',
    );
  });
});
