import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import type { FactorReset, RecordReset } from './store.ts';

type ResetAction = Extract<AuditAction, `factor_reset.${string}`>;

/** Records what happens to resets, in the transaction of the change. */
export const createResetLog =
  (audit: Pick<Audit, 'recordIn'>) =>
  (action: ResetAction, by: AuditActor): RecordReset =>
  (within, reset: FactorReset) =>
    audit.recordIn(within, [
      {
        ...by,
        action,
        reason: reset.cancel_reason ?? undefined,
        target: { kind: 'user', id: reset.user_id },
        details: {
          reset_id: reset.id,
          reason: reset.reason,
          requested_by: reset.requested_by,
          approved_by: reset.approved_by,
        },
      },
    ]);

export type ResetLog = ReturnType<typeof createResetLog>;
