import { isDeepStrictEqual } from 'node:util';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Resources } from '../../platform/resources.ts';
import { liveVariables, type SavedSettings } from '../../platform/settings/live-settings.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Audit } from '../audit/service.ts';
import { type CurrentLive, liveGroup, savedSettingsOf } from './current-live.ts';
import { settingsErrors } from './errors.ts';
import type { SettingsView, UpdateSettingsBody } from './schemas.live.ts';
import { lockGroup, readGroup, type StoredGroup, writeGroup } from './store.ts';

export interface LiveSettingsParts extends Pick<Resources, 'config' | 'db' | 'clock'> {
  audit: Audit;
  currentLive: CurrentLive;
}

type Member = keyof SavedSettings;
const members: readonly Member[] = [
  'sign_up',
  'sign_up_domains',
  'site_registration',
  'waitlist_total',
  'waitlist_leaderboard',
];

/** What the audit log calls a change of each member. */
const actions: Readonly<Record<Member, AuditAction>> = {
  sign_up: 'settings.sign_up_changed',
  sign_up_domains: 'settings.sign_up_changed',
  site_registration: 'settings.site_registration_changed',
  waitlist_total: 'settings.waitlist_changed',
  waitlist_leaderboard: 'settings.waitlist_changed',
};

const target = { kind: 'settings', id: liveGroup };

/** What an undo returns to: what was saved before the last change. */
const previousOf = (stored: StoredGroup): SavedSettings | undefined =>
  typeof stored.value === 'object' && stored.value !== null && 'previous' in stored.value
    ? savedSettingsOf(stored.value.previous)
    : undefined;

/** Throws a RequestValidationError for domains without any. */
function requireDomains({ sign_up: signUp, sign_up_domains: domains }: SavedSettings): void {
  if (signUp === 'domain' && domains.length === 0)
    throw new RequestValidationError([
      valueError(['body', 'sign_up_domains'], 'must name at least one domain'),
    ]);
}

/** The entries of the audit log for a change: one for each subject, with what it became. */
function entriesOf(before: SavedSettings, after: SavedSettings, by: RequestActor) {
  const changed = members.filter((member) => !isDeepStrictEqual(before[member], after[member]));
  return [...new Set(changed.map((member) => actions[member]))].map((action) => ({
    ...by,
    action,
    target,
    details: Object.fromEntries(
      changed
        .filter((member) => actions[member] === action)
        .map((member) => [member, { from: before[member], to: after[member] }]),
    ),
  }));
}

/** The settings that admins change while the service runs, as they read and change them. */
export function createLiveSettings({ config, db, clock, audit, currentLive }: LiveSettingsParts) {
  const fixed = members.filter((member) => config[liveVariables[member]] !== undefined);
  return { get, update, undo };

  async function get(): Promise<SettingsView> {
    const stored = await readGroup(db, liveGroup);
    const { sign_up_domains: domains, ...saved } = savedSettingsOf(stored?.value);
    const live = currentLive.live();
    return {
      ...saved,
      sign_up_domains: [...domains],
      effective: {
        sign_up: live.signUp,
        sign_up_domains: [...live.signUpDomains],
        site_registration: live.siteRegistration,
        waitlist_total: live.waitlistTotal,
        waitlist_leaderboard: live.waitlistLeaderboard,
      },
      fixed,
      changed_at: stored?.updated_at.toISOString() ?? null,
    };
  }

  /**
   * Members that are missing stay as they are; null returns to the default. Throws
   * `settings.fixed` for those of the environment, and a RequestValidationError.
   */
  async function update(changes: UpdateSettingsBody, by: RequestActor): Promise<SettingsView> {
    if (fixed.some((member) => changes[member] !== undefined)) throw settingsErrors.fixed();
    await write((stored) => {
      const { sign_up_domains: domains, ...before } = savedSettingsOf(stored.value);
      return savedSettingsOf({ ...before, sign_up_domains: [...domains], ...changes });
    }, by);
    return get();
  }

  /**
   * Returns to what was saved before the change of this time. Throws `settings.changed_since` if
   * they were changed after it.
   */
  async function undo(changedAt: string, by: RequestActor): Promise<SettingsView> {
    await write((stored) => {
      const previous = previousOf(stored);
      if (stored.updated_at.toISOString() !== changedAt || previous === undefined)
        throw settingsErrors.changed_since();
      return previous;
    }, by);
    return get();
  }

  async function write(
    next: (stored: StoredGroup) => SavedSettings,
    by: RequestActor,
  ): Promise<void> {
    const now = new Date(clock.now());
    await db.transaction().execute(async (within) => {
      const stored = await lockGroup(within, liveGroup, now);
      const previous = savedSettingsOf(stored.value);
      const after = next(stored);
      requireDomains(after);
      const entries = entriesOf(previous, after, by);
      if (entries.length === 0) return;
      await writeGroup(within, liveGroup, { value: { ...after, previous }, now });
      await audit.recordIn(within, entries);
    });
    await currentLive.announce();
  }
}
