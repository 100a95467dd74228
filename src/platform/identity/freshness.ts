import { minuteMs } from '../../lib/durations.ts';
import { defineErrors } from '../errors/errors.ts';

/** The greatest age of a sign-in that counts as recent, in milliseconds. */
export const freshMs = 5 * minuteMs;

/**
 * The same for forms of the console, which ask in place and only on approved devices. The API, with
 * its five minutes, keeps to what it promises.
 */
export const consoleFreshMs = 30 * minuteMs;

const freshnessErrors = defineErrors('auth', {
  step_up_required: [401, 'This action requires a recent sign-in. Sign in again, then retry.'],
});

/** `auth.step_up_required`, with the challenge of RFC 9470 §3. */
export const stepUpRequired = () =>
  freshnessErrors.step_up_required({
    headers: {
      'www-authenticate':
        `Bearer realm="svc", error="insufficient_user_authentication", ` +
        `max_age=${freshMs / 1000}`,
    },
  });

/** The actor of a change. Without one, it is the service itself. */
export interface AuthenticatedActor {
  actor?: { kind: string };
  /** When the acting user last authenticated, Unix ms. */
  authTime?: number | undefined;
  /** The greatest age of that which counts as recent, in ms. Default: `freshMs`. */
  freshFor?: number | undefined;
}

/**
 * Throws `auth.step_up_required` unless the acting user signed in within the last five minutes, or
 * within the time of the console's forms. API
 * keys and the service itself never sign in, and pass.
 *
 * Services call it for whatever gives access (accounts, roles, invitations, API keys, master keys,
 * reopened codes) and for what an admin changes about another person's access (sessions, factors,
 * devices), so that it holds on every surface.
 */
export function requireFresh(
  { actor, authTime, freshFor = freshMs }: AuthenticatedActor,
  now: number,
): void {
  if (actor?.kind !== 'user') return;
  if (authTime === undefined || now - authTime > freshFor) throw stepUpRequired();
}
