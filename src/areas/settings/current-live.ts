import { isDeepStrictEqual } from 'node:util';
import type { Resources } from '../../platform/resources.ts';
import {
  type LiveSettings,
  liveSettingsOf,
  type LiveVariables,
  type SavedSettings,
} from '../../platform/settings/live-settings.ts';
import { brandGroup, changeSignal, refreshMs } from './current-brand.ts';
import { SavedSettingsMembers } from './schemas.live.ts';
import { readGroup } from './store.ts';

export const liveGroup = 'live';

/** Reads what is stored. What is missing is at its default. */
export function savedSettingsOf(value: unknown): SavedSettings {
  const { data } = SavedSettingsMembers.partial().safeParse(value);
  return {
    sign_up: data?.sign_up ?? null,
    sign_up_domains: data?.sign_up_domains ?? [],
    site_registration: data?.site_registration ?? null,
    waitlist_total: data?.waitlist_total ?? null,
    waitlist_leaderboard: data?.waitlist_leaderboard ?? null,
  };
}

/**
 * The settings that admins change, as this replica knows them, read like the brand. `onChange` is
 * called after each change. While the store is down the last ones stay; before the first reading
 * they are the environment's.
 */
export function createCurrentLive(
  env: LiveVariables,
  { db, bus, logger }: Pick<Resources, 'db' | 'bus' | 'logger'>,
  onChange: () => void,
) {
  let current = liveSettingsOf(env);
  let timer: NodeJS.Timeout | undefined;

  bus.onSignal(changeSignal, (group) => {
    if (group !== brandGroup) void refresh();
  });
  return {
    live: (): LiveSettings => current,
    refresh,
    /** Reads the settings now, and tells the other replicas to do so. */
    async announce(): Promise<void> {
      await refresh();
      bus.signal(changeSignal, liveGroup);
    },
    start(): void {
      timer = setInterval(() => void refresh(), refreshMs).unref();
    },
    stop: (): void => clearInterval(timer),
  };

  /** Reads the settings. Logs a failure, and keeps what is known. */
  async function refresh(): Promise<void> {
    try {
      const next = liveSettingsOf(env, savedSettingsOf((await readGroup(db, liveGroup))?.value));
      if (isDeepStrictEqual(next, current)) return;
      current = next;
      onChange();
    } catch (error) {
      logger.warn({ err: error }, 'the settings could not be read');
    }
  }
}

export type CurrentLive = ReturnType<typeof createCurrentLive>;
