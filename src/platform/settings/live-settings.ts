import type { Config } from '../../config.ts';
import { type DomainRule, parseDomainRule } from '../../lib/net/domain-rules.ts';
import { entriesOf } from '../../lib/text/lists.ts';

/** Settings that admins change while the service runs, as they hold now. */
export interface LiveSettings {
  signUp: 'open' | 'invitation' | 'domain';
  /** The domains of `domain`, as they were written. */
  signUpDomains: readonly string[];
  /** The same, parsed. */
  signUpRules: readonly DomainRule[];
  siteRegistration: 'open' | 'closed';
  waitlistTotal: boolean;
  waitlistLeaderboard: boolean;
}

/** Returns the settings as they are now: another object after a change. Call it each time. */
export type LiveSettingsReader = () => LiveSettings;

/** What an admin has saved. What is null is at its default. */
export interface SavedSettings {
  sign_up: LiveSettings['signUp'] | null;
  sign_up_domains: readonly string[];
  site_registration: LiveSettings['siteRegistration'] | null;
  waitlist_total: boolean | null;
  waitlist_leaderboard: boolean | null;
}

/** The variables that decide a setting when they are set. */
export type LiveVariables = Pick<
  Config,
  | 'NODE_ENV'
  | 'SIGN_UP'
  | 'SIGN_UP_DOMAINS'
  | 'SITE_REGISTRATION'
  | 'WAITLIST_TOTAL'
  | 'WAITLIST_LEADERBOARD'
>;

/** The variable of each member of what is saved. */
export const liveVariables = {
  sign_up: 'SIGN_UP',
  sign_up_domains: 'SIGN_UP',
  site_registration: 'SITE_REGISTRATION',
  waitlist_total: 'WAITLIST_TOTAL',
  waitlist_leaderboard: 'WAITLIST_LEADERBOARD',
} as const satisfies Readonly<Record<keyof SavedSettings, keyof LiveVariables>>;

/** The settings of the environment, else what was saved, else the defaults. */
export function liveSettingsOf(env: LiveVariables, saved?: SavedSettings): LiveSettings {
  const signUpDomains =
    env.SIGN_UP === undefined ? (saved?.sign_up_domains ?? []) : entriesOf(env.SIGN_UP_DOMAINS);
  return {
    signUp: env.SIGN_UP ?? saved?.sign_up ?? 'open',
    signUpDomains,
    signUpRules: signUpDomains.flatMap((text) => parseDomainRule(text) ?? []),
    siteRegistration:
      env.SITE_REGISTRATION ??
      saved?.site_registration ??
      (env.NODE_ENV === 'production' ? 'closed' : 'open'),
    waitlistTotal: env.WAITLIST_TOTAL ?? saved?.waitlist_total ?? true,
    waitlistLeaderboard: env.WAITLIST_LEADERBOARD ?? saved?.waitlist_leaderboard ?? true,
  };
}
