import type { Asker } from '../../platform/http/request-origin.ts';
import type { Session, Sessions } from '../auth/sessions.ts';
import type { Management } from '../blackops/management/management.ts';

export interface FactorRemovalDeps {
  sessions: Pick<Sessions, 'endAll'>;
  devices: Pick<Management, 'revokeAll'>;
}

/**
 * What follows when a person has taken a second factor away: the other sessions end, and the other
 * devices are not cleared any more.
 */
export function createFactorRemoval({ sessions, devices }: FactorRemovalDeps) {
  return async ({ userId, id, device }: Session, { address, requestId }: Asker): Promise<void> => {
    await devices.revokeAll(
      userId,
      { actor: { kind: 'user', id: userId }, address, requestId },
      'factor_removed',
      device?.id,
    );
    await sessions.endAll(userId, id);
  };
}

export type FactorRemoval = ReturnType<typeof createFactorRemoval>;
