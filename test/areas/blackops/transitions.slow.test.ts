import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditActions } from '../../../src/areas/audit/actions.ts';
import {
  deviceStates,
  isAllowed,
  type TransitionName,
  transitions,
} from '../../../src/areas/blackops/states.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import {
  clearByKey,
  createDeviceBrowser,
  type DeviceBrowser,
  firefoxOnWindows,
} from '../../support/devices.ts';
import { post } from '../../support/sign-in.ts';

const mount = '/api/auth/blackops';
const day = 86_400_000;

// The designed states, written by hand: from → to, with the permitted actors. Two deliberate
// differences: an undecided request becomes `expired` and not `denied`, and only an unknown device
// is cleared without an approval.
const designed: [name: TransitionName, from: string[], to: string, by: string[], action: string][] =
  [
    ['request', ['unknown', 'expired'], 'pending', ['owner'], 'device.requested'],
    ['bootstrap', ['unknown'], 'cleared', ['system'], 'device.cleared'],
    ['approve', ['pending'], 'cleared', ['admin'], 'device.cleared'],
    ['self_clear', ['pending'], 'cleared', ['owner'], 'device.cleared'],
    ['deny', ['pending'], 'denied', ['admin'], 'device.denied'],
    ['time_out', ['pending'], 'expired', ['timer'], 'device.expired'],
    ['suspend', ['cleared'], 'suspended', ['admin', 'owner', 'risk'], 'device.suspended'],
    ['restore', ['suspended'], 'cleared', ['admin', 'owner'], 'device.restored'],
    ['expire', ['cleared'], 'expired', ['timer'], 'device.expired'],
    [
      'revoke',
      ['cleared', 'denied', 'expired', 'pending', 'suspended'],
      'revoked',
      ['admin', 'owner', 'system'],
      'device.revoked',
    ],
  ];

describe('the table of transitions', () => {
  it('is the designed one', () => {
    const table = Object.entries(transitions).map(([name, { from, to, by }]) => [
      name,
      [...from].sort(),
      to,
      [...by].sort(),
    ]);
    expect(table).toEqual(designed.map(([name, from, to, by]) => [name, [...from].sort(), to, by]));
    expect([...deviceStates].sort()).toEqual([
      'cleared',
      'denied',
      'expired',
      'pending',
      'revoked',
      'suspended',
      'unknown',
    ]);
  });

  it('allows 15 of the 70 pairs of transition and state', () => {
    const allowed = designed.flatMap(([name]) =>
      deviceStates.filter((state) => isAllowed(name, state)).map((state) => `${name} ${state}`),
    );
    expect(allowed.sort()).toEqual(
      designed.flatMap(([name, from]) => from.map((state) => `${name} ${state}`)).sort(),
    );
    expect(allowed).toHaveLength(15);
  });

  it('has no transition from revoked, and none to unknown', () => {
    for (const { from, to } of Object.values(transitions)) {
      expect(from).not.toContain('revoked');
      expect(to).not.toBe('unknown');
    }
  });
});

type Policy = Record<string, string>;

interface Case {
  name: TransitionName;
  policy?: Policy;
  /**
   * Prepares a device for the transition. Returns its state and a function that triggers it.
   */
  arrange: () => Promise<{
    id: () => Promise<string | undefined>;
    before: string;
    act: () => Promise<{ status: number } | undefined>;
  }>;
}

let app: FreshApp;
let boss: DeviceBrowser;
let people = 0;
const clock = { at: Date.UTC(2026, 0, 5, 9), now: () => clock.at };

async function open(env: Policy): Promise<void> {
  app = await freshApp({ clock, env: { DEVICE_FIRST: 'nobody', ...env } });
  boss = createDeviceBrowser(app, { now: clock.now });
  await boss.signIn({ email: 'boss@example.com', roles: ['admin'], acr: 'aal2' });
  const asked = await boss.ask();
  if (asked.body.state === 'pending') await clearByKey(app, asked, asAdmin.authorization);
}

async function somebody(acr: 'aal1' | 'aal2' = 'aal1') {
  const email = `somebody-${(people += 1)}@example.com`;
  const browser = createDeviceBrowser(app, { now: clock.now });
  await browser.signIn({ email, roles: ['admin'], acr });
  return { browser, email };
}

async function pending() {
  const { browser, email } = await somebody();
  const asked = await browser.ask();
  return { browser, email, asked, id: String(asked.body.device_id) };
}

async function cleared() {
  const made = await pending();
  expect((await clearByKey(app, made.asked, asAdmin.authorization)).status).toBe(200);
  return made;
}

async function suspended() {
  const made = await cleared();
  expect(
    (await made.browser.call(`${mount}/devices/${made.id}/suspend`, { method: 'POST' })).status,
  ).toBe(200);
  return made;
}

const of = (id: string) => () => Promise.resolve(id);
const newestOf = (browser: DeviceBrowser) => async () =>
  (
    await app.stores.db
      .selectFrom('devices')
      .select('id')
      .where('user_id', '=', browser.self.userId)
      .executeTakeFirst()
  )?.id;
const decide = (id: unknown, verb: string, body: unknown = {}) =>
  post(app, `${mount}/requests/${String(id)}/${verb}`, body, asAdmin);

const fourEyes: Case[] = [
  {
    name: 'request',
    arrange: async () => {
      const { browser } = await somebody();
      return { id: newestOf(browser), before: 'unknown', act: () => browser.ask() };
    },
  },
  {
    name: 'request',
    arrange: async () => {
      const { browser, email, id } = await cleared();
      clock.at += 31 * day;
      await app.services.devices.sweep.sweep();
      await browser.signIn({ email });
      return { id: of(id), before: 'expired', act: () => browser.ask() };
    },
  },
  {
    name: 'approve',
    arrange: async () => {
      const { asked, id } = await pending();
      return {
        id: of(id),
        before: 'pending',
        act: () => decide(asked.body.request_id, 'approve', { number: asked.body.number }),
      };
    },
  },
  {
    name: 'deny',
    arrange: async () => {
      const { asked, id } = await pending();
      return { id: of(id), before: 'pending', act: () => decide(asked.body.request_id, 'deny') };
    },
  },
  {
    name: 'time_out',
    arrange: async () => {
      const { id } = await pending();
      clock.at += 3 * day;
      return {
        id: of(id),
        before: 'pending',
        act: () => app.services.devices.sweep.sweep().then(() => undefined),
      };
    },
  },
  {
    name: 'suspend',
    arrange: async () => {
      const { browser, id } = await cleared();
      return {
        id: of(id),
        before: 'cleared',
        act: () => browser.call(`${mount}/devices/${id}/suspend`, { method: 'POST' }),
      };
    },
  },
  {
    name: 'suspend',
    arrange: async () => {
      const { browser, id } = await cleared();
      browser.self.userAgent = firefoxOnWindows;
      return { id: of(id), before: 'cleared', act: () => browser.status() };
    },
  },
  {
    name: 'restore',
    arrange: async () => {
      const { browser, email, id } = await suspended();
      await browser.signIn({ email, acr: 'aal2' });
      return {
        id: of(id),
        before: 'suspended',
        act: () => browser.call(`${mount}/devices/${id}/restore`, { method: 'POST' }),
      };
    },
  },
  {
    name: 'expire',
    arrange: async () => {
      const { id } = await cleared();
      clock.at += 30 * day;
      return {
        id: of(id),
        before: 'cleared',
        act: () => app.services.devices.sweep.sweep().then(() => undefined),
      };
    },
  },
  {
    name: 'revoke',
    arrange: async () => {
      const { browser, id } = await pending();
      return { id: of(id), before: 'pending', act: () => browser.revoke({ device_id: id }) };
    },
  },
  {
    name: 'revoke',
    arrange: async () => {
      const { browser, id } = await suspended();
      return { id: of(id), before: 'suspended', act: () => browser.revoke({ device_id: id }) };
    },
  },
];

const others: Case[] = [
  {
    name: 'bootstrap',
    arrange: async () => {
      const { browser } = await somebody();
      return { id: newestOf(browser), before: 'unknown', act: () => browser.ask() };
    },
  },
  {
    name: 'self_clear',
    arrange: async () => {
      const { browser, email } = await somebody();
      const { body } = await browser.ask();
      expect(body.state).toBe('cleared');
      browser.jar.delete('svc_device');
      await browser.signIn({ email });
      const asked = await browser.ask();
      expect(asked.body.state).toBe('pending');
      await browser.signIn({ email, acr: 'aal2' });
      return { id: of(String(asked.body.device_id)), before: 'pending', act: () => browser.ask() };
    },
  },
];

const stateOf = async (id: string | undefined) =>
  id === undefined
    ? 'unknown'
    : ((
        await app.stores.db
          .selectFrom('devices')
          .select('state')
          .where('id', '=', id)
          .executeTakeFirst()
      )?.state ?? 'unknown');
const whole = (id: string | undefined) =>
  app.stores.db
    .selectFrom('devices')
    .select(['state', 'reasons', 'expires_at', 'cleared_at', 'state_at', 'enrolled_in'])
    .where('id', '=', id ?? '00000000-0000-4000-8000-000000000000')
    .execute();
const requestsOf = (id: string | undefined) =>
  app.stores.db
    .selectFrom('clearance_requests')
    .select(['state', 'decided_by', 'wrong_numbers'])
    .where('device_id', '=', id ?? '00000000-0000-4000-8000-000000000000')
    .orderBy('created_at')
    .execute();
const entriesOf = async (id: string) =>
  (
    await app.stores.db
      .selectFrom('audit_events')
      .select(['action', 'details', 'outcome'])
      .where('target_id', '=', id)
      .execute()
  ).filter(({ details }) => (details as { transition?: string }).transition !== undefined);

describe.each([
  { policy: {}, cases: fourEyes },
  { policy: { DEVICE_FIRST: 'tofu', DEVICE_CLEARANCE: 'self_step_up' }, cases: others },
])('with $policy', ({ policy, cases }) => {
  beforeAll(() => open(policy), 30_000);
  afterAll(() => app.close());
  afterEach(async () => {
    await sql`drop trigger if exists full_up on audit_events`.execute(app.stores.db);
  });

  it.each(cases)('$name records its entry in the audit log', async ({ name, arrange }) => {
    const { id, before, act } = await arrange();
    const early = await id();
    expect(await stateOf(early)).toBe(before);
    const known = early === undefined ? 0 : (await entriesOf(early)).length;
    const answer = await act();
    expect(answer?.status ?? 200).toBe(200);
    const device = await id();
    const [, from, to, , action] = designed.find(([each]) => each === name) ?? ['', [], '', [], ''];
    expect(from).toContain(before);
    expect(await stateOf(device)).toBe(to);
    expect(auditActions).toHaveProperty([action]);
    const entries = await entriesOf(device ?? '');
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
      const { id, before, act } = await arrange();
      await sql`
        create or replace function full_up() returns trigger language plpgsql as 'begin
          if new.action like ''device.%'' then raise exception ''no room''; end if;
          return new;
        end'`.execute(app.stores.db);
      await sql`
        create trigger full_up before insert on audit_events
        for each row execute function full_up()`.execute(app.stores.db);
      const early = await id();
      const was = { device: await whole(early), requests: await requestsOf(early) };
      const answer = await act().catch((error: unknown) => ({
        status: error instanceof Error ? 500 : 0,
      }));
      expect(answer?.status, 'it has succeeded').toBe(500);
      const device = await id();
      expect(await stateOf(device)).toBe(before);
      expect({ device: await whole(device), requests: await requestsOf(device) }).toEqual(was);
      await sql`drop trigger full_up on audit_events`.execute(app.stores.db);
      // The transition succeeds afterwards.
      const again = await act();
      expect(again?.status ?? 200).toBe(200);
      expect(await stateOf(await id())).toBe(designed.find(([each]) => each === name)?.[2]);
    },
  );

  it('every transition is covered', () => {
    const made = new Set([...fourEyes, ...others].map(({ name }) => name));
    expect([...made].sort()).toEqual(Object.keys(transitions).sort());
    expect(boss.self.userId).not.toBe('');
  });
});
