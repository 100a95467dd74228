import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import { userActor } from '../../platform/http/requests/request-actor.ts';
import type { Session, Sessions } from '../auth/sessions/sessions.ts';
import type { Management } from '../blackops/management/management.ts';

export interface FactorRemovalDeps {
  sessions: Pick<Sessions, 'endAll'>;
  devices: Pick<Management, 'revokeAll'>;
}

/**
 * The consequences of removing a second factor: ends other sessions, revokes other devices.
 */
export function createFactorRemoval({ sessions, devices }: FactorRemovalDeps) {
  return async ({ userId, id, device }: Session, requestSource: RequestSource): Promise<void> => {
    await devices.revokeAll(userId, userActor(userId, requestSource), 'factor_removed', device?.id);
    await sessions.endAll(userId, id);
  };
}

export type FactorRemoval = ReturnType<typeof createFactorRemoval>;
