import type { Database } from '../../../platform/database/database.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { StatusParts } from '../context.ts';
import { statusErrors } from '../errors.ts';
import { invalidBody } from '../invalid-body.ts';
import { reservedIds } from './builtin.ts';
import { heartbeatStore } from '../history/heartbeat-store.ts';
import { spanStore } from '../history/span-store.ts';
import { targetProblem } from './targets.ts';
import {
  type ComponentPatch,
  type ComponentRecord,
  componentStore,
  defaultSettings,
  type Settings,
} from './store.ts';
import type { CreateComponentBody, SettingsBody, UpdateComponentBody } from './schemas.ts';

const maxComponents = 100;

/** Derives an id from a name: `Public API (EU)` becomes `public-api-eu`. */
function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return slug === '' ? 'component' : slug;
}

/** The settings of a check: those that are given, else those before. */
export const mergeSettings = (
  before: Settings,
  {
    interval_s: interval = before.interval_s,
    timeout_ms: timeout = before.timeout_ms,
    expected_status: expected = before.expected_status,
  }: SettingsBody = {},
): Settings => ({ interval_s: interval, timeout_ms: timeout, expected_status: expected });

/** Locks a component. Throws `status.component_not_found`, also for archived ones. */
async function lockComponent(transaction: Database, id: string): Promise<ComponentRecord> {
  const component = await componentStore.lock(transaction, id);
  if (component === undefined) throw statusErrors.component_not_found();
  return component;
}

/** Throws `status.component_builtin`, or a RequestValidationError for an invalid target. */
function toPatch(
  { source, settings: before }: ComponentRecord,
  {
    group,
    only_show_if_degraded: onlyShowIfDegraded,
    settings,
    target,
    ...same
  }: UpdateComponentBody,
): ComponentPatch {
  const isTargetUnchanged = target === undefined && settings === undefined;
  if (source === 'builtin' && !isTargetUnchanged) throw statusErrors.component_builtin();
  const problem =
    target === undefined || source === 'builtin' ? undefined : targetProblem(source, target);
  if (problem !== undefined) throw invalidBody(['target'], problem, target);
  return {
    ...same,
    group,
    target,
    onlyShowIfDegraded,
    settings: settings === undefined ? undefined : mergeSettings(before, settings),
  };
}

function newComponent(
  { id, name, source, target, ...body }: CreateComponentBody,
  known: readonly ComponentRecord[],
  now: number,
): ComponentRecord {
  return {
    id: id ?? slugify(name),
    name,
    description: body.description ?? null,
    group: body.group ?? null,
    position: body.position ?? Math.max(0, ...known.map(({ position }) => position)) + 1,
    source,
    target,
    settings: mergeSettings(defaultSettings, body.settings),
    onlyShowIfDegraded: body.only_show_if_degraded ?? false,
    checkStatus: 'operational',
    checkSince: now,
    createdAt: now,
    updatedAt: now,
  };
}

/** Changes the components of the status page, for admins. `propagate` is called after commits. */
export function createComponents({
  db,
  audit,
  clock,
  propagate,
}: StatusParts & { propagate: () => Promise<void> }) {
  return { create, update, delete: archive };

  /** Adds a probed component. Throws `status.component_exists`, `.too_many_components`. */
  function create(body: CreateComponentBody, actor: AuditActor): Promise<ComponentRecord> {
    return commit(async (transaction) => {
      const known = await componentStore.list(transaction);
      if (known.length >= maxComponents) throw statusErrors.too_many_components();
      const component = newComponent(body, known, clock.now());
      const { id, name, source } = component;
      if (reservedIds.includes(id) || (await componentStore.insert(transaction, [component])) === 0)
        throw statusErrors.component_exists();
      await recordAudit(transaction, 'status.component_created', id, actor, { name, source });
      return component;
    });
  }

  /**
   * Changes the given fields. Throws `status.component_not_found`, `.component_builtin`, or a
   * RequestValidationError.
   */
  function update(
    id: string,
    body: UpdateComponentBody,
    actor: AuditActor,
  ): Promise<ComponentRecord> {
    return commit(async (transaction) => {
      const patch = toPatch(await lockComponent(transaction, id), body);
      await componentStore.update(transaction, id, patch, new Date(clock.now()));
      const details = { fields: Object.keys(body) };
      await recordAudit(transaction, 'status.component_changed', id, actor, details);
      return lockComponent(transaction, id);
    });
  }

  /**
   * Archives a component: removes it from the page and keeps its records. Throws
   * `status.component_not_found`, `.component_builtin`.
   */
  function archive(id: string, actor: AuditActor): Promise<void> {
    return commit(async (transaction) => {
      const { source, name } = await lockComponent(transaction, id);
      if (source === 'builtin') throw statusErrors.component_builtin();
      const at = new Date(clock.now());
      await componentStore.archive(transaction, id, at);
      await spanStore.endAll(transaction, id, at);
      await recordAudit(transaction, 'status.component_archived', id, actor, { name });
    });
  }

  async function commit<Result>(
    change: (transaction: Database) => Promise<Result>,
  ): Promise<Result> {
    const result = await db.transaction().execute(change);
    await propagate();
    return result;
  }

  async function recordAudit(
    transaction: Database,
    action: AuditAction,
    id: string,
    actor: AuditActor,
    details: Record<string, unknown>,
  ): Promise<void> {
    const target = { kind: 'status_component', id };
    await audit.recordIn(transaction, [{ ...actor, action, target, details }]);
    await heartbeatStore.bumpVersion(transaction);
  }
}
