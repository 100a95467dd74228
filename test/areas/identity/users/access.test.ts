import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { me } from '../../../support/abuse.ts';
import { asAdmin } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { clearedOn } from '../../../support/devices.ts';
import { openBearer } from '../../../support/sign-in.ts';

let now = Date.now();
const app = await sharedApp('plain', { clock: { now: () => now } });
const users = new TestClient(app).as(asAdmin).at('/api/v1/users');

const newAddress = () => `${randomUUID().slice(0, 12)}@example.com`;
describe("a user's sessions", () => {
  it('are listed, and ended one by one or all together, at once', async () => {
    const email = newAddress();
    const [phone, laptop] = [await openBearer(app, email), await openBearer(app, email)];
    const other = await openBearer(app, newAddress());
    const path = `/${phone.userId}/sessions`;

    const list = await users.get(path);
    expect(list).toMatchObject({
      status: 200,
      body: {
        total: 2,
        data: expect.arrayContaining([
          expect.objectContaining({ id: phone.sessionId, via: 'bearer', current: false }),
          expect.objectContaining({ id: laptop.sessionId }),
        ]) as unknown,
      },
    });
    expect(JSON.stringify(list.body)).not.toMatch(/secret|token/);

    expect((await users.delete(`${path}/${phone.sessionId}`)).body).toEqual({ ok: true, ended: 1 });
    expect((await me(app, phone.bearer)).status).toBe(401);
    expect((await me(app, laptop.bearer)).status).toBe(200);
    expect(await users.delete(`${path}/${phone.sessionId}`)).toBeProblem(
      404,
      'auth.session_not_found',
    );

    expect((await users.delete(path)).body).toEqual({ ok: true, ended: 1 });
    expect((await me(app, laptop.bearer)).status).toBe(401);
    expect((await me(app, other.bearer)).status).toBe(200);
    const { data } = await app.services.audit.list({ target_id: phone.userId, limit: 5 });
    expect(data.map(({ action }) => action)).toContain('session.revoked_all');
  });

  it("can't be ended through another user", async () => {
    const [ada, eve] = [await openBearer(app, newAddress()), await openBearer(app, newAddress())];
    const answer = await users.delete(`/${eve.userId}/sessions/${ada.sessionId}`);
    expect(answer).toBeProblem(404, 'auth.session_not_found');
    expect((await me(app, ada.bearer)).status).toBe(200);
  });
});

describe("a user's devices", () => {
  it('are listed, and removed one by one or all together, with their sessions', async () => {
    const email = newAddress();
    const [first, second] = [await clearedOn(app, { email }), await clearedOn(app, { email })];
    const { body: owner } = await first.browser.call('/api/auth/me');
    const path = `/${String(owner.sub)}/devices`;
    expect(await users.get(path)).toMatchObject({
      status: 200,
      body: { total: 2, devices: [{ state: 'cleared' }, { state: 'cleared' }] },
    });

    const eve = await openBearer(app, newAddress());
    expect(await users.delete(`/${eve.userId}/devices/${first.deviceId}`)).toBeProblem(
      404,
      'blackops.device_not_found',
    );
    expect((await first.browser.call('/api/auth/me')).status).toBe(200);

    expect(await users.delete(`${path}/${first.deviceId}`)).toMatchObject({
      status: 200,
      body: { revoked: true, device_id: first.deviceId, devices: 1 },
    });
    expect((await first.browser.call('/api/auth/me')).status).toBe(401);
    expect((await second.browser.call('/api/auth/me')).status).toBe(200);

    expect(await users.delete(path)).toMatchObject({
      status: 200,
      body: { revoked: true, device_id: null, devices: 1 },
    });
    expect((await second.browser.call('/api/auth/me')).status).toBe(401);
    expect(await users.get(path)).toMatchObject({ body: { total: 0 } });
  });
});

describe.each(['sessions', 'devices'])('the %s of others', (kind) => {
  const nobody = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';

  it('are not found for an unknown user', async () => {
    for (const method of ['GET', 'DELETE'] as const)
      expect(await users.send(method, `/${nobody}/${kind}`)).toBeProblem(404, 'users.not_found');
  });

  it('are changed by admins only within five minutes of signing in', async () => {
    const { browser } = await clearedOn(app, { email: newAddress(), roles: ['admin'] });
    const ada = await openBearer(app, newAddress());
    const end = () => browser.call(`/api/v1/users/${ada.userId}/${kind}`, { method: 'DELETE' });
    now += 6 * minuteMs;
    expect(await end()).toMatchObject({ status: 401, body: { code: 'auth.step_up_required' } });
    expect((await me(app, ada.bearer)).status).toBe(200);
  });
});
