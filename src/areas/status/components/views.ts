import type { ComponentState } from '../model.ts';
import type { ComponentView } from './schemas.ts';
import type { ComponentRecord } from './store.ts';

/** The admin view of a component. `state` is its public state. */
export const toComponentView = (
  {
    id,
    name,
    description,
    group,
    position,
    source,
    target,
    settings,
    onlyShowIfDegraded,
    checkStatus,
    createdAt,
    updatedAt,
  }: ComponentRecord,
  state: ComponentState | undefined,
): ComponentView => ({
  id,
  name,
  description,
  group,
  position,
  source,
  target,
  settings: source === 'builtin' ? null : settings,
  only_show_if_degraded: onlyShowIfDegraded,
  status: state?.status ?? checkStatus,
  uptime: state?.uptime ?? null,
  created_at: new Date(createdAt).toISOString(),
  updated_at: new Date(updatedAt).toISOString(),
});
