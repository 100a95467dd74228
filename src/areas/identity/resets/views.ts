import { FactorResetView } from './schemas.ts';
import type { FactorReset } from './store.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
const ended: readonly FactorReset['state'][] = ['completed', 'canceled', 'expired'];

/** A reset as the API shows it. */
export const toResetView = (reset: FactorReset): FactorResetView => ({
  id: reset.id,
  user_id: reset.user_id,
  status: reset.state,
  reason: reset.reason,
  requested_by: reset.requested_by,
  requested_at: reset.requested_at.toISOString(),
  expires_at: reset.expires_at.toISOString(),
  approved_by: reset.approved_by,
  approved_at: iso(reset.approved_at),
  takes_effect_at: iso(reset.due_at),
  ended_at: ended.includes(reset.state) ? reset.changed_at.toISOString() : null,
  canceled_by: reset.canceled_by,
  cancel_reason: FactorResetView.shape.cancel_reason.parse(reset.cancel_reason),
});
