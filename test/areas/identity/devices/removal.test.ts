import { beforeEach, describe, expect } from 'vitest';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { it } from '../../../support/test.ts';
import { useDevices } from './support.ts';

const lab = await useDevices();
const { cleared, sessionDevices, stateOf, stored } = lab;
const { devices } = lab.app.services;
beforeEach(() => {
  lab.set(Date.now());
});

const byAdmin = { actor: { kind: 'api_key', id: 'env' } } as const;
const remove = (id: string) => devices.management.remove(id, byAdmin);
const undo = (id: string, adminId?: string) =>
  devices.management.restoreOther(id, adminId, byAdmin);
const lastEntry = async (id: string) => (await lab.entries(id)).at(-1);

describe('a device that an admin removes in the console', () => {
  it('is signed out and opens nothing, and comes back with its key and approval', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    const before = await stored(deviceId);
    await remove(deviceId);
    expect(await stateOf(deviceId)).toBe('suspended');
    expect(await sessionDevices(browser.self.userId)).toEqual([]);
    expect(await lastEntry(deviceId)).toMatchObject({
      action: 'device.suspended',
      reason: 'removal',
    });
    await undo(deviceId);
    const { jkt, secret_hash: secretHash, cleared_at: clearedAt } = before;
    expect(await stored(deviceId)).toMatchObject({
      state: 'cleared',
      reasons: [],
      jkt,
      secret_hash: secretHash,
      cleared_at: clearedAt,
    });
    expect(await lastEntry(deviceId)).toMatchObject({ action: 'device.restored' });
    // The sessions that have ended stay ended.
    expect(await sessionDevices(browser.self.userId)).toEqual([]);
  });

  it('can’t bring itself back, and neither can its owner', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    await remove(deviceId);
    await browser.signIn({ roles: ['admin'], acr: 'aal2', amr: ['otp', 'totp'] });
    expect(await browser.restore(deviceId)).toBeProblem(403, 'blackops.not_this_device');
    await expect(undo(deviceId, browser.self.userId)).rejects.toMatchObject({
      code: 'blackops.own_request',
    });
    expect(await stateOf(deviceId)).toBe('suspended');
  });

  it('is lost for good after ten minutes', async () => {
    const { deviceId } = await cleared();
    await remove(deviceId);
    lab.pass(9 * minuteMs);
    await lab.sweep();
    expect(await stateOf(deviceId)).toBe('suspended');
    lab.pass(minuteMs);
    await expect(undo(deviceId)).rejects.toMatchObject({
      code: 'blackops.transition_not_allowed',
    });
    await lab.sweep();
    expect(await stored(deviceId)).toMatchObject({ state: 'revoked', secret_hash: null });
    expect(await lastEntry(deviceId)).toMatchObject({
      action: 'device.revoked',
      by: 'system',
    });
  });

  it('that was suspended before is suspended again after an undo', async () => {
    const { deviceId } = await cleared();
    await lab.suspendBySystem(deviceId, 'admin');
    await remove(deviceId);
    await remove(deviceId);
    expect(await stored(deviceId)).toMatchObject({ reasons: ['admin', 'removal'] });
    await undo(deviceId);
    expect(await stored(deviceId)).toMatchObject({
      state: 'suspended',
      reasons: ['admin'],
      expires_at: null,
    });
    expect(await lastEntry(deviceId)).toMatchObject({ action: 'device.changed' });
    lab.pass(11 * minuteMs);
    await lab.sweep();
    expect(await stateOf(deviceId)).toBe('suspended');
  });

  it('that waits for approval is removed at once', async () => {
    const { deviceId } = await lab.pending();
    await remove(deviceId);
    expect(await stateOf(deviceId)).toBe('revoked');
  });

  it('is removed at once by its owner, or with the API', async () => {
    const { browser, deviceId } = await cleared();
    await remove(deviceId);
    await browser.signIn({ roles: ['admin'] });
    await devices.management.revoke(
      deviceId,
      { userId: browser.self.userId },
      { actor: { kind: 'user', id: browser.self.userId } },
      'owner',
    );
    expect(await stateOf(deviceId)).toBe('revoked');
    await expect(undo(deviceId)).rejects.toMatchObject({
      code: 'blackops.transition_not_allowed',
    });
  });
});
