import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../../app/app.ts';

/** Where requests come from. Cookies stay, as in a browser. */
export interface Browser {
  address: string;
  userAgent: string;
  cookies: Map<string, string>;
}

/** Something that happens at an instant (Unix ms). */
export interface Act {
  at: number;
  play: () => unknown;
}

/** A clock that shows the time it was set to. */
export function createMovingClock(time: number) {
  let present = time;
  return { now: () => present, set: (next: number) => void (present = next) };
}
export type MovingClock = ReturnType<typeof createMovingClock>;

/** Plays acts, oldest first, with the clock set to its instant. Rejects with the first failure. */
export async function playActs(acts: readonly Act[], clock: MovingClock, onPlayed: () => unknown) {
  for (const { at, play } of [...acts].sort((a, b) => a.at - b.at)) {
    clock.set(at);
    await play();
    await onPlayed();
  }
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** Sends requests to the service, and reads the messages that it sends. */
export function createStage(app: App, origin: string) {
  /** Waits until the service has done its jobs, so that none of them sees a later time. */
  async function settle(): Promise<void> {
    for (;;) {
      const { handlers } = await app.services.queues.observe();
      if (handlers.every(({ active, waiting }) => active === 0 && waiting === 0)) return;
      await delay(1);
    }
  }

  return {
    settle,

    /**
     * Requests `POST /path` with a JSON body. Resolves with the JSON of the response. Rejects with
     * an Error that names the request unless it succeeds.
     */
    async ask(call: string, body?: unknown, from?: Browser, key?: string): Promise<unknown> {
      const [name, url = ''] = call.split(' ');
      const answer = await app.http.inject({
        method: methods.find((each) => each === name) ?? 'GET',
        url,
        ...(from === undefined
          ? {}
          : { remoteAddress: from.address, cookies: Object.fromEntries(from.cookies) }),
        headers: {
          origin,
          ...(from === undefined ? {} : { 'user-agent': from.userAgent }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      for (const cookie of answer.cookies) from?.cookies.set(cookie.name, cookie.value);
      if (answer.statusCode >= 400)
        throw new Error(`${call} was answered ${answer.statusCode}: ${answer.body}`);
      const isJson = String(answer.headers['content-type']).includes('json');
      return isJson ? answer.json() : undefined;
    },

    /** Waits for a message that was sent now, and returns the first group of `pattern` in it. */
    async read(to: string, pattern: RegExp): Promise<string> {
      const { outbox, clock } = app.services;
      for (let left = 5000; left > 0; left -= 1) {
        for (const { createdAt, text } of outbox.list(to)) {
          const found = createdAt === clock.now() ? pattern.exec(text)?.[1] : undefined;
          if (found !== undefined) return found;
        }
        await delay(1);
      }
      throw new Error(`no message to ${to} has ${String(pattern)}`);
    },
  };
}
export type Stage = ReturnType<typeof createStage>;

/** A link's token, and a sign-in code. */
export const tokenIn = /token=([\w.~-]+)/;
export const codeIn = /\b(\d{6})\b/;
