import { expect } from 'vitest';
import { asAdmin, type TestApp } from '../../../support/app.ts';
import type { TestResponse } from '../../../support/client.ts';
import {
  clearByKey,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  entriesOf,
  type SignInAs,
  storedDevice,
} from '../../../support/devices.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import type { Answer } from '../../../support/sign-in.ts';

/** A sign-in with a second factor. */
export const withFactor = { acr: 'aal2', amr: ['otp', 'totp'] } as const;

/** What a request for approval returns if nobody has decided yet. */
export const pendingRequest = {
  status: 200,
  body: {
    state: 'pending',
    request_id: expect.any(String) as string,
    number: expect.stringMatching(/^\d\d$/) as string,
  },
};

/** A two-digit number that is not the one of the request. */
export const wrongNumber = (number: unknown, by = 1): string =>
  String((Number(number) + by) % 100).padStart(2, '0');

export interface TestClock {
  now: () => number;
  pass: (ms: number) => void;
  set: (at: number) => void;
}

/** Without `startAt` it goes on by itself; with it, only by `pass` and `set`. */
export function createTestClock(startAt?: number): TestClock {
  let passed = 0;
  const now = () => (startAt ?? Date.now()) + passed;
  return {
    now,
    pass: (ms) => void (passed += ms),
    set: (at) => void (passed += at - now()),
  };
}

type BrowserOptions = Parameters<typeof createDeviceBrowser>[1];
type ClearedOptions = Parameters<typeof clearedOn>[2];

const bySystem = { actor: { kind: 'system' } } as const;

/** Creates people with devices in an app. They are new admins by default. */
export function createDeviceLab(app: TestApp, { now }: Pick<TestClock, 'now'>) {
  let people = 0;
  const newEmail = () => `person-${(people += 1)}@example.com`;
  const newBrowser = (options: BrowserOptions = {}) =>
    createDeviceBrowser(app, { now, ...options });

  async function signedIn(
    who: Partial<SignInAs> = {},
    options: BrowserOptions = {},
  ): Promise<DeviceBrowser> {
    const browser = newBrowser(options);
    await browser.signIn({ email: newEmail(), roles: ['admin'], ...who });
    return browser;
  }

  const stored = (id: unknown) => storedDevice(app, id);
  const entries = (id: unknown) => entriesOf(app, id);
  const inventory = () => deviceInventory(app);

  /** Expects that nothing of devices changes meanwhile. */
  async function expectUnchanged<T>(act: () => Promise<T>): Promise<T> {
    const before = await inventory();
    const result = await act();
    expect(await inventory()).toEqual(before);
    return result;
  }

  /** Signs in on a device that waits for approval. */
  async function pending(who: Partial<SignInAs> = {}) {
    const browser = await signedIn(who);
    const asked = await browser.ask();
    expect(asked).toMatchObject(pendingRequest);
    const { device_id: deviceId, request_id: requestId, number } = asked.body;
    return { browser, asked, deviceId: String(deviceId), requestId: String(requestId), number };
  }

  /** Expects this problem, which reveals and changes nothing of devices. */
  async function expectRefused(
    call: () => Promise<TestResponse>,
    status: number,
    code: string,
  ): Promise<TestResponse> {
    const response = await expectUnchanged(call);
    expect(response).toBeProblem(status, code);
    expect(response.body).not.toHaveProperty('number');
    expect(response.body).not.toHaveProperty('states');
    return response;
  }

  return {
    app,
    newEmail,
    newBrowser,
    signedIn,
    cleared: (who: Partial<SignInAs> = {}, options: ClearedOptions = {}) =>
      clearedOn(app, { email: newEmail(), ...who }, { now, ...options }),
    pending,
    copy: (owner: DeviceBrowser, options: Parameters<typeof copyOf>[2] = {}) =>
      copyOf(app, owner, { now, ...options }),
    clear: (asked: Answer) => clearByKey(app, asked, asAdmin.authorization),
    stored,
    stateOf: async (id: unknown) => (await stored(id)).state,
    setDevice: async (
      id: string,
      values: { state?: 'denied' | 'expired' | 'suspended'; expires_at?: Date },
    ) => app.stores.db.updateTable('devices').set(values).where('id', '=', id).execute(),
    requestsOf: (deviceId: unknown) =>
      app.stores.db
        .selectFrom('clearance_requests')
        .selectAll()
        .where('device_id', '=', String(deviceId))
        .orderBy('created_at')
        .execute(),
    devicesOf: (userId: string) =>
      app.stores.db.selectFrom('devices').selectAll().where('user_id', '=', userId).execute(),
    /** The id of the device of each of the user's sessions. */
    sessionDevices: async (userId: string) =>
      (await app.services.sessions.list(userId)).map(({ device }) => device?.id),
    entries,
    actions: async (id: unknown) => (await entries(id)).map(({ action }) => action),
    revokeBySystem: (id: unknown) =>
      app.services.devices.management.revoke(String(id), 'all', bySystem, 'test'),
    suspendBySystem: (id: unknown, reason: 'admin' | 'owner') =>
      app.services.devices.management.suspend(String(id), 'all', bySystem, reason),
    sweep: () => app.services.devices.sweep.sweep(),
    inventory,
    expectUnchanged,
    expectRefused,
  };
}

export type DeviceLab = ReturnType<typeof createDeviceLab>;

/** Gives a file people with devices in the shared app. Call it at the top. */
export async function useDevices(clock = createTestClock()) {
  const app = await sharedApp('devices', { clock });
  return Object.assign(createDeviceLab(app, clock), clock);
}

/** The open request of a person. Throws when there is none. */
export const openRequestOf = ({ stores }: TestApp, userId: string) =>
  stores.db
    .selectFrom('clearance_requests')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
