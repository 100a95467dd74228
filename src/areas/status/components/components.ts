import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import { reservedIds } from '../recording/builtin.ts';
import {
  type ComponentPatch,
  type ComponentRecord,
  componentStore,
  defaultSettings,
  type Settings,
} from './component-store.ts';
import { statusErrors } from '../errors.ts';
import { heartbeatStore } from '../recording/heartbeat-store.ts';
import { invalidBody } from '../incidents/invalid-body.ts';
import type { UpdateComponentBody, CreateComponentBody, SettingsBody } from '../schemas.admin.ts';
import { spanStore } from '../recording/span-store.ts';
import { targetProblem } from '../recording/targets.ts';

export interface ComponentsDeps {
  db: Database;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  /** Called after the commit. */
  publishComponents: () => Promise<void>;
}

const most = 100;

/** Letters, digits and dashes out of a name: `Public API (EU)` is `public-api-eu`. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return slug === '' ? 'component' : slug;
}

/** The settings with what is given in their place. */
const merged = (
  before: Settings,
  {
    interval_s: interval = before.interval_s,
    timeout_ms: timeout = before.timeout_ms,
    expected_status: expected = before.expected_status,
  }: SettingsBody = {},
): Settings => ({ interval_s: interval, timeout_ms: timeout, expected_status: expected });

/** The components of the status page, as admins change them. */
export function createComponents({ db, audit, clock, publishComponents }: ComponentsDeps) {
  async function note(
    transaction: Database,
    action: AuditAction,
    id: string,
    by: AuditActor,
    details: Record<string, unknown>,
  ): Promise<void> {
    await audit.recordIn(transaction, [
      { ...by, action, target: { kind: 'status_component', id }, details },
    ]);
    await heartbeatStore.grow(transaction);
  }

  async function required(found: Promise<ComponentRecord | undefined>): Promise<ComponentRecord> {
    const component = await found;
    if (component === undefined) throw statusErrors.component_not_found();
    return component;
  }

  function changesOf(
    before: ComponentRecord,
    {
      group,
      only_show_if_degraded: onlyShowIfDegraded,
      settings,
      target,
      ...same
    }: UpdateComponentBody,
  ): ComponentPatch {
    if (before.source === 'builtin' && (target !== undefined || settings !== undefined))
      throw statusErrors.component_builtin();
    const problem =
      target === undefined || before.source === 'builtin'
        ? undefined
        : targetProblem(before.source, target);
    if (problem !== undefined) throw invalidBody(['target'], problem, target);
    return {
      ...same,
      group,
      target,
      onlyShowIfDegraded,
      settings: settings === undefined ? undefined : merged(before.settings, settings),
    };
  }

  return {
    /** Adds a component that is checked by requests. Throws `status.component_exists`, `.too_many_components`. */
    async create(
      {
        id,
        name,
        description = null,
        group = null,
        position,
        source,
        target,
        settings,
        only_show_if_degraded: isHidden = false,
      }: CreateComponentBody,
      by: AuditActor,
    ): Promise<ComponentRecord> {
      const now = clock.now();
      const made = await db.transaction().execute(async (transaction) => {
        const known = await componentStore.list(transaction);
        if (known.length >= most) throw statusErrors.too_many_components();
        const component: ComponentRecord = {
          id: id ?? slugOf(name),
          name,
          description,
          group,
          position: position ?? Math.max(0, ...known.map((each) => each.position)) + 1,
          source,
          target,
          settings: merged(defaultSettings, settings),
          onlyShowIfDegraded: isHidden,
          checkStatus: 'operational',
          checkSince: now,
          createdAt: now,
          updatedAt: now,
        };
        if (
          reservedIds.includes(component.id) ||
          (await componentStore.insert(transaction, [component])) === 0
        )
          throw statusErrors.component_exists();
        await note(transaction, 'status.component_created', component.id, by, { name, source });
        return component;
      });
      await publishComponents();
      return made;
    },

    /** Changes what is given. Throws `status.component_not_found`, `.component_builtin`, a RequestValidationError. */
    async update(id: string, body: UpdateComponentBody, by: AuditActor): Promise<ComponentRecord> {
      const made = await db.transaction().execute(async (transaction) => {
        const before = await required(componentStore.lock(transaction, id));
        const changes = changesOf(before, body);
        await componentStore.update(transaction, id, changes, new Date(clock.now()));
        await note(transaction, 'status.component_changed', id, by, { fields: Object.keys(body) });
        return required(componentStore.lock(transaction, id));
      });
      await publishComponents();
      return made;
    },

    /** Takes a component off the page; what was recorded stays. Throws `status.component_not_found`, `.component_builtin`. */
    async delete(id: string, by: AuditActor): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const { source, name } = await required(componentStore.lock(transaction, id));
        if (source === 'builtin') throw statusErrors.component_builtin();
        const at = new Date(clock.now());
        await componentStore.archive(transaction, id, at);
        await spanStore.endOf(transaction, id, at);
        await note(transaction, 'status.component_archived', id, by, { name });
      });
      await publishComponents();
    },
  };
}

export type Components = ReturnType<typeof createComponents>;
