/**
 * A small reference model of device states, to compare the service with. It follows the design (§5)
 * and the table in states.ts, and shares no code with the service.
 */

import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';

export type State =
  'unknown' | 'pending' | 'cleared' | 'expired' | 'suspended' | 'denied' | 'revoked';

interface Way {
  from: readonly State[];
  to: State;
  by: readonly string[];
  action: string;
}
const way = (from: readonly State[], to: State, by: readonly string[], action: string): Way => ({
  from,
  to,
  by,
  action: `device.${action}`,
});

/**
 * All transitions, with who may cause them. Two deliberate differences from the design: an
 * undecided request becomes `expired` and not `denied`, and only an unknown device is cleared
 * without an approval.
 */
export const ways: Readonly<Record<string, Way>> = {
  request: way(['expired', 'unknown'], 'pending', ['owner'], 'requested'),
  bootstrap: way(['unknown'], 'cleared', ['system'], 'cleared'),
  approve: way(['pending'], 'cleared', ['admin'], 'cleared'),
  deny: way(['pending'], 'denied', ['admin'], 'denied'),
  time_out: way(['pending'], 'expired', ['timer'], 'expired'),
  suspend: way(['cleared'], 'suspended', ['admin', 'owner', 'risk'], 'suspended'),
  restore: way(['suspended'], 'cleared', ['admin', 'owner'], 'restored'),
  expire: way(['cleared'], 'expired', ['timer'], 'expired'),
  revoke: way(
    ['cleared', 'denied', 'expired', 'pending', 'suspended'],
    'revoked',
    ['admin', 'owner', 'system'],
    'revoked',
  ),
};

export type System = 'mac' | 'windows';

export interface ModelSession {
  at: number;
  used: number;
  acr: 'aal1' | 'aal2';
  device: ModelDevice | undefined;
}

export interface ModelDevice {
  owner: ModelPerson;
  state: State;
  system: System;
  /** The system that made a rule suspend it. */
  suspect: System | undefined;
  reason: string | undefined;
  seen: number;
  clearedAt: number | undefined;
  endsAt: number | undefined;
  enrolledIn: ModelSession | undefined;
  bornAt: number;
  /** Its requests, oldest first. */
  requests: {
    state: 'open' | 'approved' | 'denied' | 'expired' | 'withdrawn';
    at: number;
    wrong: number;
  }[];
}

export interface ModelPerson {
  name: string;
  isAdmin: boolean;
  isDisabled: boolean;
}

export interface ModelBrowser {
  /** Undefined: the browser never signs in. */
  person: ModelPerson | undefined;
  system: System;
  /** The device of its device cookie. */
  cookie: ModelDevice | undefined;
  session: ModelSession | undefined;
}

export type Verdict = 'right' | 'wrong' | 'deny';

/**
 * Models a few users with their browsers. A method that stands for a request returns the expected
 * status of its response.
 */
export function createModel(browsers: ModelBrowser[], { now }: { now: () => number }) {
  const devices: ModelDevice[] = [];
  const log: { device: number; transition: string; from: State; to: State }[] = [];
  const openOf = (device: ModelDevice) => device.requests.find(({ state }) => state === 'open');

  function move(device: ModelDevice, transition: string, reason?: string): boolean {
    const { from, to } = ways[transition]!;
    if (!from.includes(device.state)) return false;
    log.push({ device: devices.indexOf(device), transition, from: device.state, to });
    if (to === 'cleared') {
      const clearedAt = transition === 'restore' ? (device.clearedAt ?? now()) : now();
      Object.assign(device, {
        clearedAt,
        endsAt: Math.min(now() + 30 * dayMs, clearedAt + 90 * dayMs),
        seen: now(),
      });
    } else device.endsAt = to === 'pending' ? now() + 72 * hourMs : undefined;
    if (to === 'pending') device.requests.push({ state: 'open', at: now(), wrong: 0 });
    device.state = to;
    device.reason = reason;
    return true;
  }

  function settle(
    device: ModelDevice,
    state: 'approved' | 'denied' | 'expired' | 'withdrawn',
  ): void {
    const open = openOf(device);
    if (open !== undefined) open.state = state;
  }

  function age(device: ModelDevice): void {
    if (device.endsAt === undefined || device.endsAt > now()) return;
    if (device.state === 'pending') settle(device, 'expired');
    move(device, device.state === 'cleared' ? 'expire' : 'time_out');
  }

  function revoke(device: ModelDevice, reason: string): void {
    settle(device, 'withdrawn');
    move(device, 'revoke', reason);
    device.enrolledIn = undefined;
    for (const browser of browsers)
      if (browser.session?.device === device) browser.session = undefined;
  }

  const revokeAll = (person: ModelPerson, reason: string, except?: ModelDevice) =>
    devices
      .filter((each) => each.owner === person && each.state !== 'revoked' && each !== except)
      .forEach((each) => revoke(each, reason));

  /** Returns the session unless it has expired. */
  function liveSession(browser: ModelBrowser): ModelSession | undefined {
    const { session } = browser;
    if (session === undefined) return undefined;
    if (now() >= session.at + dayMs || now() >= session.used + hourMs)
      return (browser.session = undefined);
    if (now() - session.used >= minuteMs) session.used = now();
    return session;
  }

  /** Returns the device of a request, after the risk rules. */
  function recognise(browser: ModelBrowser, isOld = false): ModelDevice | undefined {
    const device = browser.cookie;
    if (device === undefined || device.owner !== browser.person) return undefined;
    if (device.state === 'revoked') return device;
    age(device);
    if (device.state === 'cleared' && (isOld || browser.system !== device.system)) {
      move(device, 'suspend', 'risk');
      device.suspect = browser.system;
    }
    if (device.state !== 'suspended' && now() - device.seen >= minuteMs) {
      device.seen = now();
      if (device.state === 'cleared')
        device.endsAt = Math.min(now() + 30 * dayMs, device.clearedAt! + 90 * dayMs);
    }
    return device;
  }

  function restore(device: ModelDevice, system: System | undefined): boolean {
    if (!move(device, 'restore')) return false;
    if (system !== undefined) device.system = system;
    device.suspect = undefined;
    // Its approval may have expired while it was suspended.
    age(device);
    return true;
  }

  const isFresh = (session: ModelSession) => now() - session.at <= 5 * minuteMs;

  /** Returns 200 for an admin on an approved device. */
  function openConsole(browser: ModelBrowser): 200 | 401 | 403 {
    const session = liveSession(browser);
    if (session === undefined) return 401;
    if (browser.person?.isAdmin !== true) return 403;
    const device = recognise(browser);
    if (device?.state !== 'cleared') return 403;
    session.device = device;
    return 200;
  }

  /** Returns the devices that the browser may manage. */
  function scopeOf(browser: ModelBrowser, target: ModelDevice): 'own' | 'all' | 'refused' {
    if (browser.person?.isAdmin !== true || target.owner === browser.person) return 'own';
    return openConsole(browser) === 200 ? 'all' : 'refused';
  }

  function canRequestMore(person: ModelPerson): boolean {
    const requests = devices
      .filter(({ owner }) => owner === person)
      .flatMap((each) => each.requests);
    return (
      requests.filter(({ state, at }) => state === 'open' && at + 72 * hourMs > now()).length < 3 &&
      requests.filter(({ at }) => at > now() - dayMs).length < 10
    );
  }

  function enrol(browser: ModelBrowser, person: ModelPerson, session: ModelSession): ModelDevice {
    const device: ModelDevice = {
      owner: person,
      state: 'unknown',
      system: browser.system,
      suspect: undefined,
      reason: undefined,
      seen: now(),
      clearedAt: undefined,
      endsAt: undefined,
      enrolledIn: session,
      bornAt: now(),
      requests: [],
    };
    devices.push(device);
    move(device, 'request');
    browser.cookie = device;
    return device;
  }

  function askAnew(
    browser: ModelBrowser,
    person: ModelPerson,
    session: ModelSession,
  ): ModelDevice | undefined {
    // A session that enrolled a device a moment ago gets that one: no new request, so no limit.
    const before = devices.find(({ enrolledIn }) => enrolledIn === session);
    if (before !== undefined && now() - before.bornAt <= minuteMs) return before;
    if (before !== undefined) before.enrolledIn = undefined;
    return canRequestMore(person) ? enrol(browser, person, session) : undefined;
  }

  return {
    devices,
    log,
    move,
    openOf,
    openConsole,

    signIn(browser: ModelBrowser, acr: 'aal1' | 'aal2'): void {
      const device =
        browser.cookie?.owner === browser.person && browser.cookie?.state !== 'revoked'
          ? browser.cookie
          : undefined;
      browser.session = { at: now(), used: now(), acr, device };
    },

    /** Returns the expected state; the response is always 200. */
    status(browser: ModelBrowser, isOld = false): State {
      const session = liveSession(browser);
      const device = session === undefined ? undefined : recognise(browser, isOld);
      if (session !== undefined && device !== undefined && device.state !== 'revoked')
        session.device = device;
      return device?.state ?? 'unknown';
    },

    ask(browser: ModelBrowser): { status: number; device?: ModelDevice } {
      const session = liveSession(browser);
      if (session === undefined || browser.person === undefined) return { status: 401 };
      const known = recognise(browser);
      if (known?.state === 'revoked') browser.cookie = undefined;
      if (known !== undefined && ['revoked', 'denied', 'suspended'].includes(known.state))
        return { status: 403 };
      if (known?.state === 'expired' && !canRequestMore(browser.person)) return { status: 429 };
      if (known?.state === 'expired' && move(known, 'request')) known.system = browser.system;
      const device = known ?? askAnew(browser, browser.person, session);
      if (device === undefined) return { status: 429 };
      session.device = device;
      return { status: 200, device };
    },

    /** `key`: a client with ADMIN_API_KEY. */
    decide(by: ModelBrowser | 'key', device: ModelDevice | undefined, verdict: Verdict): number {
      if (by !== 'key') {
        const entered = openConsole(by);
        if (entered !== 200) return entered;
        if (!isFresh(by.session!)) return 401;
      }
      const request = device?.requests.at(-1);
      if (device === undefined || request === undefined) return 404;
      if (by !== 'key' && device.owner === by.person) return 403;
      if (request.state !== 'open' || device.state !== 'pending') return 409;
      if (device.endsAt! <= now()) {
        age(device);
        return 409;
      }
      if (verdict === 'right' || verdict === 'deny') {
        settle(device, verdict === 'right' ? 'approved' : 'denied');
        move(
          device,
          verdict === 'right' ? 'approve' : 'deny',
          verdict === 'deny' ? 'admin' : undefined,
        );
        return 200;
      }
      request.wrong += 1;
      if (request.wrong >= 3) {
        settle(device, 'denied');
        move(device, 'deny', 'wrong_number');
      }
      return 400;
    },

    suspend(browser: ModelBrowser, device: ModelDevice): number {
      const session = liveSession(browser);
      if (session === undefined) return 401;
      recognise(browser);
      const on = scopeOf(browser, device);
      if (on === 'refused') return 403;
      if (!isFresh(session)) return 401;
      if (on === 'own' && device.owner !== browser.person) return 404;
      return move(device, 'suspend', on === 'all' ? 'admin' : 'owner') ? 200 : 409;
    },

    restore(browser: ModelBrowser, device: ModelDevice): number {
      const session = liveSession(browser);
      if (session === undefined) return 401;
      const current = recognise(browser);
      const on = scopeOf(browser, device);
      if (on === 'refused') return 403;
      if (on === 'all') {
        if (!isFresh(session)) return 401;
        return restore(device, device.suspect) ? 200 : 409;
      }
      if (device.owner !== browser.person) return 404;
      if (session.acr !== 'aal2' || !isFresh(session)) return 401;
      if (current !== device || device.reason === 'admin') return 403;
      return restore(device, browser.system) ? 200 : 409;
    },

    revoke(browser: ModelBrowser, device: ModelDevice): number {
      const session = liveSession(browser);
      if (session === undefined) return 401;
      const current = recognise(browser);
      const on = scopeOf(browser, device);
      if (on === 'refused') return 403;
      if (on === 'own' && device.owner !== browser.person) return 404;
      if (device !== current && !isFresh(session)) return 401;
      revoke(device, on === 'own' ? 'owner' : 'admin');
      if (device === current) browser.cookie = undefined;
      return 200;
    },

    revokeOthers(browser: ModelBrowser): number {
      const session = liveSession(browser);
      if (session === undefined || browser.person === undefined) return 401;
      const current = recognise(browser);
      const others = devices.filter(
        (each) => each.owner === browser.person && each.state !== 'revoked' && each !== current,
      );
      if (others.length > 0 && !isFresh(session)) return 401;
      others.forEach((each) => revoke(each, 'owner'));
      return 200;
    },

    rename(browser: ModelBrowser, device: ModelDevice): number {
      const session = liveSession(browser);
      if (session === undefined) return 401;
      recognise(browser);
      return device.owner !== browser.person || device.state === 'revoked' ? 404 : 200;
    },

    signOutEverywhere(browser: ModelBrowser): number {
      if (liveSession(browser) === undefined || browser.person === undefined) return 401;
      for (const each of browsers) if (each.person === browser.person) each.session = undefined;
      revokeAll(browser.person, 'signed_out_everywhere');
      return 200;
    },

    removeFactor(browser: ModelBrowser): void {
      const session = liveSession(browser);
      if (session === undefined || browser.person === undefined) return;
      revokeAll(browser.person, 'factor_removed', session.device);
      for (const each of browsers)
        if (each.person === browser.person && each !== browser) each.session = undefined;
    },

    setDisabled(person: ModelPerson, isDisabled: boolean): void {
      person.isDisabled = isDisabled;
      if (!isDisabled) return;
      for (const each of browsers) if (each.person === person) each.session = undefined;
      revokeAll(person, 'user_disabled');
    },

    sweep: (): void => devices.forEach(age),
  };
}

export type Model = ReturnType<typeof createModel>;
