import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditActions } from '../../../../src/areas/audit/actions.ts';
import {
  deviceStates,
  isAllowed,
  type TransitionName,
  transitions,
} from '../../../../src/areas/identity/devices/states.ts';
import { dayMs } from '../../../../src/lib/durations.ts';
import { asAdmin, freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { type DeviceBrowser, firefoxOnWindows, mount } from '../../../support/devices.ts';
import { ways } from './model.ts';
import { createDeviceLab, createTestClock } from './support.ts';

const transitionNames = Object.keys(transitions) as TransitionName[];

describe('the table of transitions', () => {
  it('is the designed one', () => {
    const table = Object.entries(transitions).map(([name, { from, to, by }]) => [
      name,
      { from: [...from].sort(), to, by: [...by].sort() },
    ]);
    const designed = Object.entries(ways).map(([name, { from, to, by }]) => [
      name,
      { from, to, by },
    ]);
    expect(table).toEqual(designed);
    expect([...deviceStates].sort().join(' ')).toBe(
      'cleared denied expired pending revoked suspended unknown',
    );
  });

  it('allows 14 of the 63 pairs of transition and state', () => {
    const allowed = transitionNames.flatMap((name) =>
      deviceStates.filter((state) => isAllowed(name, state)).map((state) => `${name} ${state}`),
    );
    expect(allowed.sort()).toEqual(
      Object.entries(ways)
        .flatMap(([name, { from }]) => from.map((state) => `${name} ${state}`))
        .sort(),
    );
    expect(allowed).toHaveLength(14);
  });

  it('has no transition from revoked, and none to unknown', () => {
    for (const { from, to } of Object.values(transitions)) {
      expect(from).not.toContain('revoked');
      expect(to).not.toBe('unknown');
    }
  });
});

interface Prepared {
  /** Its state is `unknown` until it is there. */
  deviceId: () => Promise<string | undefined>;
  before: string;
  act: () => Promise<{ status: number } | undefined>;
}

interface Case {
  name: TransitionName;
  /** Prepares a device for the transition. */
  arrange: () => Promise<Prepared>;
}

const clock = createTestClock(Date.UTC(2026, 0, 5, 9));
const { pass } = clock;
const app = await freshApp({ clock });
const lab = createDeviceLab(app, clock);
const { cleared, pending, signedIn } = lab;

const prepared = (deviceId: string, before: string, act: Prepared['act']): Prepared => ({
  deviceId: () => Promise.resolve(deviceId),
  before,
  act,
});
const newDeviceOf = (browser: DeviceBrowser): Prepared => ({
  deviceId: async () => (await lab.devicesOf(browser.self.userId))[0]?.id,
  before: 'unknown',
  act: () => browser.ask(),
});
async function sweep(): Promise<undefined> {
  await lab.sweep();
  return undefined;
}
const decideByKey = (requestId: string, verb: 'approve' | 'deny', body = {}) =>
  new TestClient(app).as(asAdmin).post(`${mount}/requests/${requestId}/${verb}`, body);

async function suspended() {
  const { browser, deviceId } = await cleared();
  expect(await browser.suspend(deviceId)).toMatchObject({ status: 200 });
  return { browser, deviceId };
}

/** Makes the next device of a new admin the first one of the service. */
async function forgetDevices(): Promise<void> {
  await app.stores.db.deleteFrom('first_cleared_device').execute();
  await app.stores.db.deleteFrom('devices').execute();
}

const cases: Case[] = [
  {
    name: 'bootstrap',
    async arrange() {
      await forgetDevices();
      return newDeviceOf(await signedIn());
    },
  },
  { name: 'request', arrange: async () => newDeviceOf(await signedIn()) },
  {
    name: 'request',
    async arrange() {
      const { browser, deviceId } = await cleared();
      pass(31 * dayMs);
      await lab.sweep();
      await browser.signIn();
      return prepared(deviceId, 'expired', browser.ask);
    },
  },
  {
    name: 'approve',
    async arrange() {
      const { requestId, number, deviceId } = await pending();
      return prepared(deviceId, 'pending', () => decideByKey(requestId, 'approve', { number }));
    },
  },
  {
    name: 'deny',
    async arrange() {
      const { requestId, deviceId } = await pending();
      return prepared(deviceId, 'pending', () => decideByKey(requestId, 'deny'));
    },
  },
  {
    name: 'time_out',
    async arrange() {
      const { deviceId } = await pending();
      pass(3 * dayMs);
      return prepared(deviceId, 'pending', sweep);
    },
  },
  {
    name: 'suspend',
    async arrange() {
      const { browser, deviceId } = await cleared();
      return prepared(deviceId, 'cleared', () => browser.suspend(deviceId));
    },
  },
  {
    name: 'suspend',
    async arrange() {
      const { browser, deviceId } = await cleared();
      browser.self.userAgent = firefoxOnWindows;
      return prepared(deviceId, 'cleared', browser.status);
    },
  },
  {
    name: 'restore',
    async arrange() {
      const { browser, deviceId } = await suspended();
      await browser.signIn({ acr: 'aal2' });
      return prepared(deviceId, 'suspended', () => browser.restore(deviceId));
    },
  },
  {
    name: 'expire',
    async arrange() {
      const { deviceId } = await cleared();
      pass(30 * dayMs);
      return prepared(deviceId, 'cleared', sweep);
    },
  },
  {
    name: 'revoke',
    async arrange() {
      const { browser, deviceId } = await pending();
      return prepared(deviceId, 'pending', () => browser.revoke({ device_id: deviceId }));
    },
  },
  {
    name: 'revoke',
    async arrange() {
      const { browser, deviceId } = await suspended();
      return prepared(deviceId, 'suspended', () => browser.revoke({ device_id: deviceId }));
    },
  },
];

const stateOf = async (id: string | undefined) => (id === undefined ? 'unknown' : lab.stateOf(id));
/** The device and its requests, except for what a request with no effect may change. */
async function contentOf(id: string | undefined) {
  if (id === undefined) return undefined;
  const { state, reasons, expires_at, cleared_at, state_at, enrolled_in } = await lab.stored(id);
  const requests = await lab.requestsOf(id);
  return { state, reasons, expires_at, cleared_at, state_at, enrolled_in, requests };
}
const transitionsOf = async (id: string | undefined) =>
  (await lab.entries(id)).filter(
    ({ details }) => (details as { transition?: string }).transition !== undefined,
  );
/** Lets audit entries about devices fail. */
async function breakAudit(): Promise<void> {
  await sql`
    create or replace function full_up() returns trigger language plpgsql as 'begin
      if new.action like ''device.%'' then raise exception ''no room''; end if;
      return new;
    end'`.execute(app.stores.db);
  await sql`
    create trigger full_up before insert on audit_events
    for each row execute function full_up()`.execute(app.stores.db);
}
const repairAudit = () =>
  sql`drop trigger if exists full_up on audit_events`.execute(app.stores.db);

describe('a transition', () => {
  beforeAll(async () => {
    const first = await signedIn();
    await first.ask();
  }, 30_000);
  afterEach(repairAudit);

  it.each(cases)('$name records its entry in the audit log', async ({ name, arrange }) => {
    const { deviceId, before, act } = await arrange();
    const early = await deviceId();
    expect(await stateOf(early)).toBe(before);
    const known = (await transitionsOf(early)).length;
    expect((await act())?.status ?? 200).toBe(200);
    const { from, to, action } = ways[name]!;
    expect(from).toContain(before);
    const id = await deviceId();
    expect(await stateOf(id)).toBe(to);
    expect(auditActions).toHaveProperty([action]);
    const entries = await transitionsOf(id);
    expect(entries).toHaveLength(known + 1);
    expect(entries).toContainEqual(
      expect.objectContaining({
        action,
        outcome: 'success',
        details: expect.objectContaining({ transition: name, from: before, to }) as unknown,
      }),
    );
  });

  it.each(cases)(
    '$name changes nothing when its entry can not be stored',
    async ({ name, arrange }) => {
      const { deviceId, before, act } = await arrange();
      await breakAudit();
      const content = await contentOf(await deviceId());
      const response = await act().catch((error: unknown) => ({
        status: error instanceof Error ? 500 : 0,
      }));
      expect(response?.status, 'it has succeeded').toBe(500);
      expect(await stateOf(await deviceId())).toBe(before);
      expect(await contentOf(await deviceId())).toEqual(content);
      await repairAudit();
      // The transition succeeds afterwards.
      expect((await act())?.status ?? 200).toBe(200);
      expect(await stateOf(await deviceId())).toBe(ways[name]?.to);
    },
  );
});

describe('the cases of transitions', () => {
  it('cover every transition', () => {
    const names = new Set(cases.map(({ name }) => name));
    expect([...names].sort()).toEqual(Object.keys(transitions).sort());
  });
});
