import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { App } from '../../app/app.ts';
import { minuteMs } from '../../lib/durations.ts';
import { clientName } from '../../platform/http/requests/request-origin.ts';
import type { Browser, Person } from './people.ts';

/** Something that happens at an instant (Unix ms). */
export interface Act {
  at: number;
  play: () => unknown;
}

/**
 * What someone does: the minutes since the step before; `POST /path`, `READ` or `CODE` with the
 * address whose message has a link or a code, or `USE` for an API key; and the JSON body. `:name`
 * in the path, or as a text of the body, is that member of the first response that has it.
 */
export type Step = readonly [
  minutes: number,
  call: string,
  body?: object | (() => object) | undefined,
];

/**
 * Steps that follow from one another. `ADMIN` before a call: an admin who is not `by` makes it; and
 * `OPERATOR`: the owner of the operator's key.
 */
export interface Thread {
  at: number;
  by: Browser;
  steps: readonly Step[];
  /** Gets all members of the answers. */
  then?: (made: Members) => void;
}

/** A clock that shows the time it was set to. */
export function createMovingClock(time: number) {
  let present = time;
  return { now: () => present, set: (next: number) => void (present = next) };
}
type MovingClock = ReturnType<typeof createMovingClock>;

/** Plays acts, oldest first, with the clock set to its instant. Rejects with the first failure. */
export async function playActs(acts: readonly Act[], clock: MovingClock, onPlayed: () => unknown) {
  for (const { at, play } of [...acts].sort((a, b) => a.at - b.at)) {
    clock.set(at);
    await play();
    await onPlayed();
  }
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
const Members = z.record(z.string(), z.unknown()).catch({});
type Members = z.output<typeof Members>;
/** A link's token, and a sign-in code. */
const patterns = { READ: /token=([\w.~-]+)/, CODE: /\b(\d{6})\b/ };
/** Some requests need a sign-in within the last five minutes. */
const freshMs = 4 * minuteMs;

interface StageOptions {
  app: App;
  clock: MovingClock;
  /** The service's own address. */
  base: string;
  /** The operator's key. */
  key: string;
  admins: readonly Person[];
}

/** Sends requests to the service, and reads the messages that it sends. */
export function createStage({ app, clock, base, key, admins }: StageOptions) {
  const signedInAt = new Map<Browser, number>();
  return { ask, actsOf, settle };

  /** Waits until the service has done its jobs, so that none of them sees a later time. */
  async function settle(): Promise<void> {
    for (;;) {
      const { handlers } = await app.services.queues.observe();
      if (handlers.every(({ active, waiting }) => active === 0 && waiting === 0)) return;
      await delay(5);
    }
  }

  /** Opens a session without a code, which would take too long for each request. */
  async function openSession(browser: Browser): Promise<void> {
    const { email, userAgent, address, cookies } = browser;
    if (email === undefined || clock.now() - (signedInAt.get(browser) ?? 0) < freshMs) return;
    signedInAt.set(browser, clock.now());
    const outcome = await app.services.signIn.asCookie({
      ...{ begun: clock.now(), client: clientName(userAgent), address, requestId: randomUUID() },
      ...{ identity: { kind: 'email', key: email, value: email }, amr: ['otp'] },
    });
    if (outcome.mfa === undefined) cookies.set('svc_session', outcome.session.cookie);
  }

  /**
   * Requests `POST /path` with a JSON body. Resolves with the members of the answer. Rejects with
   * an Error that names the request unless it succeeds.
   */
  async function ask(call: string, body: unknown, by: Browser | 'operator') {
    const [name, url = ''] = call.split(' ');
    if (by !== 'operator') await openSession(by);
    const answer = await app.http.inject({
      method: methods.find((each) => each === name) ?? 'GET',
      url,
      headers: {
        origin: base,
        ...(by === 'operator'
          ? { authorization: `Bearer ${key}` }
          : { 'user-agent': by.userAgent }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(by === 'operator'
        ? {}
        : { remoteAddress: by.address, cookies: Object.fromEntries(by.cookies) }),
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    if (answer.statusCode >= 400)
      throw new Error(`${call} was answered ${answer.statusCode}: ${answer.body}`);
    if (by !== 'operator')
      for (const cookie of answer.cookies) by.cookies.set(cookie.name, cookie.value);
    const isJson = String(answer.headers['content-type']).includes('json');
    return Members.parse(isJson ? answer.json() : {});
  }

  /** Waits for a message that was sent now, and returns the first group of `pattern` in it. */
  async function read(to: string, pattern: RegExp): Promise<string> {
    await settle();
    const sent = app.services.outbox.list(to).filter((each) => each.createdAt === clock.now());
    const found = sent
      .map(({ text }) => pattern.exec(text)?.[1])
      .find((each) => each !== undefined);
    if (found === undefined) throw new Error(`no message to ${to} has ${String(pattern)}`);
    return found;
  }

  async function play(by: Thread['by'], call: string, body: unknown, answers: Members) {
    const made: Members = { target: `${base}/api/health/live`, admin: admins[0]?.id, ...answers };
    const filled = call.replace(/:(\w+)/g, (_, name: string) => String(made[name]));
    const [verb = '', to = ''] = filled.split(' ');
    if (verb === 'USE') return app.services.apiKeys.authenticate(String(made.key));
    if (verb === 'READ' || verb === 'CODE') return { token: await read(to, patterns[verb]) };
    const content = JSON.stringify(body ?? null).replace(/":([a-z_]+)"/g, (_, name: string) =>
      JSON.stringify(made[name]),
    );
    const admin = admins.find(({ email }) => email !== by.email) ?? by;
    return ask(
      filled.replace(/^(ADMIN|OPERATOR) /, ''),
      body === undefined ? undefined : JSON.parse(content),
      verb === 'OPERATOR' ? 'operator' : verb === 'ADMIN' ? admin : by,
    );
  }

  /** The steps of a thread, each at its time. */
  function actsOf({ at, by, steps, then }: Thread): Act[] {
    let [time, made] = [at, Members.parse({})];
    return steps.map(([minutes, call, body]) => {
      time += minutes * minuteMs;
      return {
        at: Math.round(time),
        play: async () => {
          const content: unknown = typeof body === 'function' ? body() : body;
          made = { ...Members.parse(await play(by, call, content, made)), ...made };
          then?.(made);
        },
      };
    });
  }
}
export type Stage = ReturnType<typeof createStage>;
