import type { Asker } from '../../platform/http/request-origin.ts';
import type { Audit } from '../audit/service.ts';
import type { MfaMethod } from './service.ts';

type Noted =
  | 'second_factor.enrolled'
  | 'second_factor.removed'
  | 'second_factor.verified'
  | 'second_factor.failed'
  | 'backup_codes.generated'
  | 'backup_code.used';

/**
 * Notes what happens to a person's second factors. `reason` is for those who read the audit log,
 * never for the person.
 */
export type Note = (
  action: Noted,
  userId: string,
  asker: Asker,
  method: MfaMethod,
  reason?: string,
) => Promise<void>;

export function createNote(audit: Pick<Audit, 'record'>): Note {
  return (action, userId, { address, requestId }, method, reason) => {
    const outcome = action === 'second_factor.failed' ? 'failure' : 'success';
    return audit.record({
      action,
      outcome,
      reason,
      actor: { kind: 'user', id: userId },
      target: { kind: 'user', id: userId },
      address,
      requestId,
      details: { method },
    });
  };
}
