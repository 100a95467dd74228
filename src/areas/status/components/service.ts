import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
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

export interface ComponentsDeps {
  db: Database;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  /** Called after the commit. */
  propagate: () => Promise<void>;
}

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

const mergeSettings = (
  before: Settings,
  {
    interval_s: interval = before.interval_s,
    timeout_ms: timeout = before.timeout_ms,
    expected_status: expected = before.expected_status,
  }: SettingsBody = {},
): Settings => ({ interval_s: interval, timeout_ms: timeout, expected_status: expected });

async function recordAudit(
  transaction: Database,
  audit: ComponentsDeps['audit'],
  action: AuditAction,
  id: string,
  actor: AuditActor,
  details: Record<string, unknown>,
): Promise<void> {
  const target = { kind: 'status_component', id };
  await audit.recordIn(transaction, [{ ...actor, action, target, details }]);
  await heartbeatStore.bumpVersion(transaction);
}

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

const createComponent = (
  { db, audit, clock }: ComponentsDeps,
  body: CreateComponentBody,
  actor: AuditActor,
): Promise<ComponentRecord> =>
  db.transaction().execute(async (transaction) => {
    const known = await componentStore.list(transaction);
    if (known.length >= maxComponents) throw statusErrors.too_many_components();
    const component = newComponent(body, known, clock.now());
    const { id, name, source } = component;
    if (reservedIds.includes(id) || (await componentStore.insert(transaction, [component])) === 0)
      throw statusErrors.component_exists();
    const details = { name, source };
    await recordAudit(transaction, audit, 'status.component_created', id, actor, details);
    return component;
  });

const updateComponent = (
  { db, audit, clock }: ComponentsDeps,
  id: string,
  body: UpdateComponentBody,
  actor: AuditActor,
): Promise<ComponentRecord> =>
  db.transaction().execute(async (transaction) => {
    const patch = toPatch(await lockComponent(transaction, id), body);
    await componentStore.update(transaction, id, patch, new Date(clock.now()));
    const details = { fields: Object.keys(body) };
    await recordAudit(transaction, audit, 'status.component_changed', id, actor, details);
    return lockComponent(transaction, id);
  });

const deleteComponent = (
  { db, audit, clock }: ComponentsDeps,
  id: string,
  actor: AuditActor,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { source, name } = await lockComponent(transaction, id);
    if (source === 'builtin') throw statusErrors.component_builtin();
    const at = new Date(clock.now());
    await componentStore.archive(transaction, id, at);
    await spanStore.endAll(transaction, id, at);
    await recordAudit(transaction, audit, 'status.component_archived', id, actor, { name });
  });

/** Changes the components of the status page, for admins. */
export function createComponents(deps: ComponentsDeps) {
  async function withPropagation<Result>(change: Promise<Result>): Promise<Result> {
    const result = await change;
    await deps.propagate();
    return result;
  }

  return {
    /** Adds a probed component. Throws `status.component_exists`, `.too_many_components`. */
    create: (body: CreateComponentBody, actor: AuditActor): Promise<ComponentRecord> =>
      withPropagation(createComponent(deps, body, actor)),

    /**
     * Changes the given fields. Throws `status.component_not_found`, `.component_builtin`, or a
     * RequestValidationError.
     */
    update: (id: string, body: UpdateComponentBody, actor: AuditActor): Promise<ComponentRecord> =>
      withPropagation(updateComponent(deps, id, body, actor)),

    /**
     * Archives a component: removes it from the page and keeps its records. Throws
     * `status.component_not_found`, `.component_builtin`.
     */
    delete: (id: string, actor: AuditActor): Promise<void> =>
      withPropagation(deleteComponent(deps, id, actor)),
  };
}
