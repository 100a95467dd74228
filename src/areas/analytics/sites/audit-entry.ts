import type { AuditAction } from '../../audit/actions.ts';
import type { AuditActor } from '../../audit/service.ts';

type SiteAction = Extract<AuditAction, `analytics.${string}`>;

/**
 * Returns the entry of the audit log for a change of a site, or of what belongs to one. The action
 * names the kind of the target: `analytics.share_created` is about an `analytics_share`.
 */
export const siteEntry = (
  action: SiteAction,
  id: string,
  details: Readonly<Record<string, unknown>>,
  by: AuditActor,
) => {
  const kind = action.slice(0, action.lastIndexOf('_')).replace('.', '_');
  return { ...by, action, target: { kind, id }, details };
};
