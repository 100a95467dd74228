import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { Session, Sessions } from '../sessions/service.ts';
import type { Management } from '../devices/management/service.ts';

export interface FactorRemovalDeps {
  sessions: Pick<Sessions, 'endAll'>;
  devices: Pick<Management, 'revokeAll'>;
}

/** Creates the function that ends sessions and revokes devices after a factor was removed. */
export function createAccessEnding({ sessions, devices }: FactorRemovalDeps) {
  return async (
    userId: string,
    by: AuditActor,
    except: { session?: string; device?: string | undefined } = {},
  ): Promise<void> => {
    await devices.revokeAll(userId, by, 'factor_removed', except.device);
    await sessions.endAll(userId, except.session);
  };
}

export type AccessEnding = ReturnType<typeof createAccessEnding>;

/**
 * The consequences of removing a second factor: ends other sessions, revokes other devices.
 */
export function createFactorRemoval(deps: FactorRemovalDeps) {
  const endAccess = createAccessEnding(deps);
  return ({ userId, id, device }: Session, requestSource: RequestSource): Promise<void> =>
    endAccess(userId, userActor(userId, requestSource), { session: id, device: device?.id });
}

export type FactorRemoval = ReturnType<typeof createFactorRemoval>;
