import fc from 'fast-check';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import { asAdmin, freshApp, type FreshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import {
  chromeOnMac,
  createDeviceBrowser,
  type DeviceBrowser,
  firefoxOnWindows,
  mount,
} from '../../../support/devices.ts';
import {
  createModel,
  type Model,
  type ModelBrowser,
  type ModelDevice,
  type Verdict,
  ways,
} from './model.ts';
import { createTestClock, type TestClock, wrongNumber } from './support.ts';

/** Who uses each browser; the stranger never signs in. */
const users = ['owner', 'owner', 'boss', 'junior', 'viewer', undefined] as const;

/** How the browser signs in before a step. `as_is`: it keeps its session. */
type Prepared = 'as_is' | 'aal1' | 'aal2';
type Chosen = number | 'own' | 'asking' | 'suspended';

/**
 * `by` and `of` are indexes of browsers. `on` is the index of a device by enrolment, or the device
 * of `by`, or the last one with a request or suspension.
 */
type Step =
  | { do: keyof typeof simpleSteps; by: number; as: Prepared }
  | { do: 'plant'; by: number; of: number }
  | { do: 'suspend' | 'restore' | 'revoke' | 'rename'; by: number; as: Prepared; on: Chosen }
  | { do: 'decide'; by: number | 'key'; as: Prepared; on: Chosen; verdict: Verdict | 'guesses' }
  | { do: 'disable' | 'enable'; by: number }
  | { do: 'pass'; ms: number; sweep: boolean };

const by = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(2) },
  { weight: 2, arbitrary: fc.nat(users.length - 1) },
);
const as = fc.constantFrom<Prepared>('as_is', 'aal1', 'aal1', 'aal2', 'aal2', 'aal2');
const on = fc.oneof(fc.nat(5), fc.constantFrom<Chosen>('own', 'own', 'suspended'));
/** Chooses one of these words, as often as it is listed. */
const anyOf = (words: string) => fc.constantFrom(...words.split(' '));

/** Plain objects, which fast-check prints in one line. */
const plain = { noNullPrototype: true } as const;
const step = (weight: number, model: Record<string, fc.Arbitrary<unknown>>) => ({
  weight,
  arbitrary: fc.record(model, plain),
});

const commonSteps =
  'sign_in status ask ask ask cleared cleared stolen other_system lose_cookie ' +
  'new_browser many_browsers used_on rescued';
const steps = fc.oneof(
  step(8, { do: anyOf(commonSteps), by, as }),
  step(1, { do: anyOf('revoke_others everywhere factor_removed'), by, as }),
  step(1, { do: fc.constant('plant'), by, of: by }),
  step(8, {
    do: anyOf('suspend suspend restore restore restore revoke revoke rename'),
    by,
    as,
    on,
  }),
  step(7, {
    do: fc.constant('decide'),
    by: fc.oneof(by, fc.constantFrom('key' as const, 2)),
    as,
    on: fc.oneof(fc.nat(5), fc.constantFrom<Chosen>('own', 'asking', 'asking', 'asking')),
    verdict: anyOf('right right wrong deny guesses'),
  }),
  step(1, { do: anyOf('disable enable'), by: fc.nat(4) }),
  step(3, {
    do: fc.constant('pass'),
    ms: fc.constantFrom(
      ...[1, 1, 6, 6].map((minutes) => minutes * minuteMs),
      ...[2, 73].map((hours) => hours * hourMs),
      ...[20, 31, 91].map((days) => days * dayMs),
    ),
    sweep: fc.boolean(),
  }),
) as fc.Arbitrary<Step>;

/** Random sequences of steps. */
export const sequences = fc.record(
  {
    begin: fc.constantFrom('nothing', 'ask', 'cleared', 'cleared'),
    steps: fc.array(steps, { minLength: 8, maxLength: 25, size: 'max' }),
  },
  plain,
);
export type Sequence = typeof sequences extends fc.Arbitrary<infer Value> ? Value : never;

export interface Lab {
  app: FreshApp;
  clock: TestClock;
  count: number;
  /** Count of each transition, and of all steps. */
  made: Map<string, number>;
  steps: number;
}

/** Starts an app with a settable clock. */
export async function openLab(): Promise<Lab> {
  const clock = createTestClock(Date.UTC(2026, 0, 5, 9));
  const app = await freshApp({ clock, env: { DEVICE_FIRST: 'nobody' } });
  return { app, clock, count: 0, made: new Map(), steps: 0 };
}

interface World extends Lab {
  model: Model;
  mirrors: ModelBrowser[];
  browsers: DeviceBrowser[];
  emails: string[];
  /** User ids by browser, and device ids in the order of the model. */
  users: string[];
  ids: string[];
  requests: { id: string; number: string }[];
}

async function openWorld(lab: Lab): Promise<World> {
  lab.count += 1;
  const { app, clock } = lab;
  await sql`with gone as (delete from devices) delete from audit_events`.execute(app.stores.db);
  const people = ['owner', 'boss', 'junior', 'viewer'].map((name) => ({
    name,
    isAdmin: name !== 'viewer',
    isDisabled: false,
  }));
  const mirrors = users.map((user): ModelBrowser => ({
    person: people.find(({ name }) => name === user),
    system: 'mac',
    cookie: undefined,
    session: undefined,
  }));
  const world: World = {
    ...lab,
    model: createModel(mirrors, clock),
    mirrors,
    browsers: mirrors.map(() => createDeviceBrowser(app, { now: clock.now })),
    emails: users.map((user) => `${user ?? 'stranger'}-${lab.count}@example.com`),
    users: [],
    ids: [],
    requests: [],
  };
  for (const [at, { person }] of mirrors.entries()) {
    if (person === undefined) continue;
    const email = world.emails[at]!;
    const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
    if (user.roles.length === 0)
      await app.services.users.setRoles(user.id, [person.isAdmin ? 'admin' : 'viewer']);
    world.users[at] = user.id;
  }
  await clear(world, 2);
  return world;
}

const session = (world: World, at: number) => {
  const value = world.browsers[at]!.jar.get('svc_session');
  return value === undefined
    ? Promise.resolve(undefined)
    : world.app.services.sessions.find(value, 'cookie');
};

async function signIn(world: World, at: number, acr: 'aal1' | 'aal2'): Promise<void> {
  const mirror = world.mirrors[at]!;
  if (mirror.person === undefined || mirror.person.isDisabled) return;
  const before = await session(world, at);
  if (before !== undefined) await world.app.services.sessions.end(before.userId, before.id);
  await world.browsers[at]!.signIn({ email: world.emails[at]!, acr });
  world.model.signIn(mirror, acr);
}

const prepare = (world: World, at: number, how: Prepared) =>
  how === 'as_is' ? Promise.resolve() : signIn(world, at, how);

async function ask(world: World, at: number): Promise<void> {
  const expected = world.model.ask(world.mirrors[at]!);
  const answer = await world.browsers[at]!.ask();
  expect(answer.status, 'asking').toBe(expected.status);
  if (expected.device === undefined) return;
  const index = world.model.devices.indexOf(expected.device);
  world.ids[index] ??= String(answer.body.device_id);
  expect(answer.body).toMatchObject({ device_id: world.ids[index], state: expected.device.state });
  // A repeated request returns the open one, with the same number.
  const { request_id: id, number } = answer.body as Record<string, string | null>;
  const known = world.requests[index];
  const isSame = known !== undefined && known.id === id;
  if (isSame && number != null) expect(number).toBe(known.number);
  if (id != null) world.requests[index] = { id, number: number ?? (isSame ? known.number : '00') };
  if (expected.device.state === 'pending')
    expect(number === null).toBe(world.mirrors[at]!.cookie !== expected.device);
}

const nobody = '00000000-0000-4000-8000-000000000000';

async function decide(
  world: World,
  at: number | 'key',
  device: ModelDevice | undefined,
  verdict: Verdict,
): Promise<void> {
  const expected = world.model.decide(at === 'key' ? 'key' : world.mirrors[at]!, device, verdict);
  const { id = nobody, number = '00' } =
    world.requests[device === undefined ? -1 : world.model.devices.indexOf(device)] ?? {};
  const url = `${mount}/requests/${id}/${verdict === 'deny' ? 'deny' : 'approve'}`;
  const given = verdict === 'right' ? number : wrongNumber(number);
  const body = verdict === 'deny' ? {} : { number: given };
  const answer =
    at === 'key'
      ? await new TestClient(world.app).as(asAdmin).post(url, body)
      : await world.browsers[at]!.post(url, body);
  expect(answer.status, `deciding: ${answer.text}`).toBe(expected);
}

/** Requests approval and approves it, as far as the state allows. */
async function clear(world: World, at: number): Promise<void> {
  await signIn(world, at, 'aal1');
  await ask(world, at);
  const device = world.mirrors[at]!.cookie;
  if (device?.owner === world.mirrors[at]!.person) await decide(world, 'key', device, 'right');
}

async function pass(world: World, ms: number, sweep: boolean): Promise<void> {
  world.clock.pass(ms);
  if (!sweep) return;
  world.model.sweep();
  await world.app.services.devices.sweep.sweep();
}

async function status(world: World, at: number, isOld = false): Promise<void> {
  const expected = world.model.status(world.mirrors[at]!, isOld);
  expect(await world.browsers[at]!.status()).toMatchObject({
    status: 200,
    body: { state: expected, cleared: expected === 'cleared' },
  });
}

/** A thief uses copies of both cookies after the owner's cookie was rotated. */
async function stolen(world: World, at: number): Promise<void> {
  const { jar } = world.browsers[at]!;
  const copy = jar.get('svc_device');
  await pass(world, 6 * minuteMs, false);
  await status(world, at);
  await pass(world, minuteMs, false);
  await status(world, at);
  await pass(world, minuteMs, false);
  const mine = jar.get('svc_device');
  if (copy === undefined || copy === mine) return status(world, at);
  jar.set('svc_device', copy);
  await status(world, at, true);
  jar.set('svc_device', mine ?? copy);
}

function loseCookie(world: World, at: number): void {
  world.browsers[at]!.jar.delete('svc_device');
  world.mirrors[at]!.cookie = undefined;
}

/** Uses the device every 20 days until its approval reaches the absolute limit. */
async function useOn(world: World, at: number): Promise<void> {
  for (let time = 0; time < 5; time += 1) {
    await pass(world, 20 * dayMs, false);
    await signIn(world, at, 'aal1');
    await status(world, at);
  }
}

function useOtherSystem(world: World, at: number): void {
  const mirror = world.mirrors[at]!;
  mirror.system = mirror.system === 'mac' ? 'windows' : 'mac';
  world.browsers[at]!.self.userAgent = mirror.system === 'mac' ? chromeOnMac : firefoxOnWindows;
}

/** Gets the device suspended by a rule and restored by an admin. */
async function rescue(world: World, at: number): Promise<void> {
  useOtherSystem(world, at);
  await status(world, at);
  const device = world.mirrors[at]!.cookie;
  if (device?.state !== 'suspended') return;
  await signIn(world, 2, 'aal1');
  await change(world, 'restore', 2, device);
}

/** Copies the device cookie of another user's browser. */
function plant(world: World, at: number, from: number): void {
  const cookie = world.browsers[from]!.jar.get('svc_device');
  // A user's own cookie may come back with an old secret: `stolen` covers that.
  if (cookie === undefined || world.mirrors[at]!.person === world.mirrors[from]!.cookie?.owner)
    return;
  world.browsers[at]!.jar.set('svc_device', cookie);
  world.mirrors[at]!.cookie = world.mirrors[from]!.cookie;
}

async function everywhere(world: World, at: number): Promise<void> {
  const expected = world.model.signOutEverywhere(world.mirrors[at]!);
  const { status } = await world.browsers[at]!.call('/api/auth/sessions', { method: 'DELETE' });
  expect(status).toBe(expected);
}

async function revokeOthers(world: World, at: number): Promise<void> {
  const { status } = await world.browsers[at]!.revoke({ all_others: true });
  expect(status).toBe(world.model.revokeOthers(world.mirrors[at]!));
}

async function removeFactor(world: World, at: number): Promise<void> {
  world.model.removeFactor(world.mirrors[at]!);
  const found = await session(world, at);
  if (found !== undefined)
    await world.app.services.factorRemoval(found, { address: '203.0.113.9', requestId: 'factor' });
}

async function disable(world: World, at: number, isDisabled: boolean): Promise<void> {
  world.model.setDisabled(world.mirrors[at]!.person!, isDisabled);
  await world.app.services.users.setDisabled(world.users[at]!, isDisabled);
}

function chosen(world: World, on: Chosen, at: number | 'key'): ModelDevice {
  const { devices } = world.model;
  const newest = (wanted: string) => devices.findLast(({ state }) => state === wanted);
  const found = {
    own: () => (at === 'key' ? undefined : world.mirrors[at]!.cookie),
    asking: () => newest('pending'),
    suspended: () => newest('suspended'),
  };
  if (typeof on === 'number') return devices[on % devices.length]!;
  return found[on]() ?? devices[0]!;
}

async function change(
  world: World,
  what: 'suspend' | 'restore' | 'revoke' | 'rename',
  at: number,
  device: ModelDevice,
): Promise<void> {
  const browser = world.browsers[at]!;
  const expected = world.model[what](world.mirrors[at]!, device);
  const id = world.ids[world.model.devices.indexOf(device)]!;
  const calls = {
    suspend: () => browser.suspend(id),
    restore: () => browser.restore(id),
    revoke: () => browser.revoke({ device_id: id }),
    rename: () => browser.rename(id, 'renamed'),
  };
  const answer = await calls[what]();
  expect(answer.status, `${what}: ${answer.text}`).toBe(expected);
}

/** Enrols a new device, as a browser that has lost its cookie. */
async function useNewBrowser(world: World, at: number): Promise<void> {
  loseCookie(world, at);
  await ask(world, at);
}

async function useManyBrowsers(world: World, at: number): Promise<void> {
  for (let time = 0; time < 4; time += 1) {
    loseCookie(world, at);
    await signIn(world, at, 'aal1');
    await ask(world, at);
  }
}

/** The steps that need no more than a browser. */
const simpleSteps = {
  sign_in: status,
  status,
  ask,
  cleared: clear,
  revoke_others: revokeOthers,
  everywhere,
  factor_removed: removeFactor,
  stolen,
  other_system: useOtherSystem,
  lose_cookie: loseCookie,
  new_browser: useNewBrowser,
  many_browsers: useManyBrowsers,
  used_on: useOn,
  rescued: rescue,
};

async function perform(world: World, each: Step): Promise<void> {
  if (each.do === 'pass') return pass(world, each.ms, each.sweep);
  if (each.do === 'disable' || each.do === 'enable')
    return disable(world, each.by, each.do === 'disable');
  if (each.do === 'plant') {
    plant(world, each.by, each.of);
    return;
  }
  if ('as' in each && each.by !== 'key') await prepare(world, each.by, each.as);
  if (each.do === 'decide') {
    const device = chosen(world, each.on, each.by);
    if (each.verdict !== 'guesses') return decide(world, each.by, device, each.verdict);
    for (let time = 0; time < 3; time += 1) await decide(world, each.by, device, 'wrong');
    return decide(world, each.by, device, 'right');
  }
  if ('on' in each) return change(world, each.do, each.by, chosen(world, each.on, each.by));
  if ('as' in each) await simpleSteps[each.do](world, each.by);
}

interface AuditLine {
  device: string;
  transition: string;
  from: string;
  to: string;
}

/** Compares the transitions in the audit log, and counts them. */
async function compareAudit(world: World): Promise<void> {
  const { rows } = await sql<AuditLine>`
    select target_id as device, details ->> 'transition' as transition,
      details ->> 'from' as "from", details ->> 'to' as "to"
    from audit_events where details ? 'transition'`.execute(world.app.stores.db);
  const lineOf = (device: number, { transition, from, to }: Omit<AuditLine, 'device'>) =>
    `${device} ${transition} ${from} ${to}`;
  expect(rows.map((row) => lineOf(world.ids.indexOf(row.device), row)).sort()).toEqual(
    world.model.log.map((entry) => lineOf(entry.device, entry)).sort(),
  );
  for (const { transition, from, to } of rows) {
    expect(ways[transition]?.from).toContain(from);
    expect(ways[transition]?.to).toBe(to);
    world.made.set(transition, (world.made.get(transition) ?? 0) + 1);
  }
}

async function compareRows(world: World): Promise<void> {
  const { db } = world.app.stores;
  const devices = await db
    .selectFrom('devices')
    .select(['id', 'state', 'expires_at', 'secret_hash', 'sessions_ended_at'])
    .execute();
  const requests = await db
    .selectFrom('clearance_requests')
    .select(['device_id', 'user_id', 'state', 'decided_by'])
    .orderBy('created_at')
    .execute();
  const seen = devices
    .map(({ id, state, expires_at: end }) => ({
      device: world.ids.indexOf(id),
      state,
      end: end?.getTime(),
    }))
    .sort((a, b) => a.device - b.device);
  expect(seen).toEqual(
    world.model.devices.map(({ state, endsAt }, device) => ({ device, state, end: endsAt })),
  );
  for (const [at, { requests: expected }] of world.model.devices.entries()) {
    const own = requests
      .filter(({ device_id: id }) => id === world.ids[at])
      .map(({ state }) => state);
    expect([...own].sort(), `requests of ${at}`).toEqual(expected.map(({ state }) => state).sort());
    expect(own.filter((state) => state === 'open').length).toBeLessThan(2);
  }
  expect(
    requests.filter(
      ({ state, user_id: id, decided_by: decider }) =>
        (state === 'approved' || state === 'denied') && decider === id,
    ),
  ).toEqual([]);
  const revoked = devices.filter(({ state }) => state === 'revoked');
  for (const each of revoked)
    expect(each).toMatchObject({ secret_hash: null, sessions_ended_at: expect.any(Date) as Date });
  if (revoked.length === 0) return;
  const dead = new Set(revoked.map(({ id }) => id));
  const sessions = await Promise.all(
    [...new Set(world.users)].map((id) => world.app.services.sessions.list(id)),
  );
  for (const { device } of sessions.flat()) expect(dead.has(device?.id ?? '')).toBe(false);
}

/** Applies the steps to the service and to the model, and compares them after each step. */
export async function compare(lab: Lab, { begin, steps: all }: Sequence): Promise<void> {
  const world = await openWorld(lab);
  if (begin === 'cleared') await clear(world, 0);
  if (begin === 'ask') await perform(world, { do: 'ask', by: 0, as: 'aal1' });
  await compareRows(world);
  for (const [at, each] of all.entries()) {
    await perform(world, each);
    const deviceOwner = 'by' in each && each.by !== 'key' ? each.by : 0;
    const entered = world.model.openConsole(world.mirrors[deviceOwner]!);
    const { status } = await world.browsers[deviceOwner]!.call(`${mount}/requests`);
    expect(status, `the console after step ${at}`).toBe(entered);
    await compareRows(world);
    lab.steps += 1;
  }
  await compareAudit(world);
}
