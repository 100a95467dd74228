import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { Session } from '../sessions/service.ts';
import type { ResetNeeds } from './context.ts';

/** The consequences of removing a second factor: sessions end and devices are revoked. */
export function createAccessEnding({ sessions, management }: ResetNeeds) {
  return { endAccess, factorRemoval };

  /** Ends the sessions and devices of a user, but for those in `except`. */
  async function endAccess(
    userId: string,
    by: AuditActor,
    except: { session?: string; device?: string | undefined } = {},
  ): Promise<void> {
    await management.revokeAll(userId, by, 'factor_removed', except.device);
    await sessions.endAll(userId, except.session);
  }

  /** Ends the other sessions and devices of a user who has removed a factor. */
  function factorRemoval(
    { userId, id, device }: Session,
    requestSource: RequestSource,
  ): Promise<void> {
    return endAccess(userId, userActor(userId, requestSource), { session: id, device: device?.id });
  }
}

type AccessEnding = ReturnType<typeof createAccessEnding>;
export type EndAccess = AccessEnding['endAccess'];
export type FactorRemoval = AccessEnding['factorRemoval'];
