import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { Audit } from '../../audit/service.ts';
import type { MfaMethod } from './service.ts';

type FactorAction =
  | 'second_factor.enrolled'
  | 'second_factor.removed'
  | 'second_factor.verified'
  | 'second_factor.failed'
  | 'backup_codes.generated'
  | 'backup_code.used';

/** Records a change or use of a user's factor. `reason` is for auditors, never for the user. */
export type RecordFactor = (
  action: FactorAction,
  userId: string,
  requestSource: RequestSource,
  method: MfaMethod,
  reason?: string,
) => Promise<void>;

/** Called after a user has used or added a factor. Never rejects: the sign-in continues. */
export type OnFactorUse = (userId: string, requestSource: RequestSource) => Promise<void>;

/** Records factor events in the audit log. */
export const createFactorLog =
  (audit: Pick<Audit, 'record'>): RecordFactor =>
  (action, userId, requestSource, method, reason) =>
    audit.record({
      action,
      outcome: action === 'second_factor.failed' ? 'failure' : 'success',
      reason,
      ...userActor(userId, requestSource),
      target: { kind: 'user', id: userId },
      details: { method },
    });
