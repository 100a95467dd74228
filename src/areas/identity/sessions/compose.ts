import { createSeal } from '../../../lib/secrets/seal.ts';
import { identitySignal } from '../../../platform/bus/signals.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { ApiKeys } from '../../api-keys/service.ts';
import type { People } from '../users/compose.ts';
import { announceSessions } from './announced-sessions.ts';
import { createGuards, type GuardDeps } from './guards.ts';
import { createKnownDevices } from './known-devices.ts';
import { createSessionStore } from './store.ts';
import { createSessions } from './service.ts';

/** Sessions, and the known devices: those from which users have signed in before. */
export function composeSessions(
  { clock, redis, keys, bus }: Resources,
  { findUser, noteSeen, users }: Pick<People, 'findUser' | 'noteSeen' | 'users'>,
) {
  const knownDevices = createKnownDevices({ key: keys('known-devices'), clock, redis });
  const sessions = createSessions({
    store: createSessionStore(redis, createSeal(keys('people'))),
    clock,
    key: keys('tokens'),
    findUser,
    noteSeen,
    isUsable: users.isUsable,
  });
  return {
    knownDevices,
    sessions: announceSessions(sessions, {
      publisher: bus,
      signalUserChanged: (userId) => bus.signal(identitySignal, userId),
      async forgetDevices(userId, exceptSession) {
        const user = await findUser(userId);
        if (user !== undefined) await knownDevices.forget(user, exceptSession);
      },
    }),
  };
}

/** Authentication and authorization of requests. */
export function composeGuards(
  { config, clock, baseOrigin }: Resources,
  needs: Pick<GuardDeps, 'sessions' | 'requireProof'> & { apiKeys: ApiKeys },
) {
  return {
    guards: createGuards({
      ...needs,
      baseOrigin,
      isBaseKnown: config.BASE_URL !== undefined,
      now: clock.now,
    }),
  };
}
