import { setImmediate as nextTurn } from 'node:timers/promises';
import { uuidv7 } from '../../../lib/ids.ts';
import { pageById } from '../../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import { deliverabilityErrors } from '../errors.ts';
import type { BulkView, ChangeZoneBody, ZoneBody } from './schemas.ts';
import type { Zone, ZoneFilter, ZoneStore } from './store.ts';
import { type LocateZone, validateZone, validateZones, zoneIntervals } from './validation.ts';

const maxZones = 2000;

export interface BulkOptions {
  /** Whether to delete all zones that are not in the request. */
  replace: boolean;
  locate?: LocateZone;
}

/** Delivery zones, managed by admins. */
export function createZones({
  db,
  clock,
  store,
  audit,
}: Pick<Resources, 'db' | 'clock'> & { store: ZoneStore; audit: Pick<Audit, 'recordIn'> }) {
  return { list, get, all, create, replace, update, delete: remove, bulk };

  async function list(
    { country, limit, cursor }: Omit<ZoneFilter, 'after'> & { cursor?: string | undefined },
    signal?: AbortSignal,
  ) {
    const [found, total] = await Promise.all([
      store.list({ country, after: cursor, limit: limit + 1 }, signal),
      store.count(country, cancellable(db, signal)),
    ]);
    return { ...pageById(found, limit), total };
  }

  /** Throws `deliverability.zone_not_found`. */
  async function get(id: string, within = db): Promise<Zone> {
    const zone = await store.find(id, within);
    if (zone === undefined) throw deliverabilityErrors.zone_not_found();
    return zone;
  }

  /** Every zone, for the export. */
  function all(signal?: AbortSignal): Promise<Zone[]> {
    return store.list({ limit: maxZones }, signal);
  }

  /**
   * Throws `deliverability.zone_exists`, `.too_many_zones`, and a RequestValidationError for
   * codes that the country can't have.
   */
  async function create(body: ZoneBody, by: AuditActor): Promise<Zone> {
    validateZone(body);
    return runExclusively(async (transaction) => {
      if ((await store.findByName(body.country, body.name, transaction)) !== undefined)
        throw deliverabilityErrors.zone_exists();
      if ((await store.count(undefined, transaction)) >= maxZones)
        throw deliverabilityErrors.too_many_zones();
      const zone = await save(transaction, body);
      await record(transaction, 'deliverability.zone_created', zone.id, by);
      return zone;
    });
  }

  /** Throws the errors of `create`, and `deliverability.zone_not_found`. */
  function replace(id: string, body: ZoneBody, by: AuditActor): Promise<Zone> {
    return put(id, by, () => body);
  }

  /**
   * Updates only the members of `change`, which may depend on the stored zone. Throws the errors
   * of `replace`.
   */
  function update(
    id: string,
    change: ChangeZoneBody | ((before: Zone) => ChangeZoneBody),
    by: AuditActor,
  ): Promise<Zone> {
    return put(id, by, (before) =>
      Object.assign({ ...before }, typeof change === 'function' ? change(before) : change),
    );
  }

  /** Throws `deliverability.zone_not_found`. */
  function remove(id: string, by: AuditActor): Promise<void> {
    return runExclusively(async (transaction) => {
      if (!(await store.delete(id, transaction))) throw deliverabilityErrors.zone_not_found();
      await record(transaction, 'deliverability.zone_deleted', id, by);
    });
  }

  /**
   * Creates zones, and replaces those with the same country and name. When one is invalid, none
   * is stored. Throws a RequestValidationError, `deliverability.too_many_zones`.
   */
  async function bulk(
    bodies: readonly ZoneBody[],
    { replace: deletesOthers, locate = (index) => ['zones', index] }: BulkOptions,
    by: AuditActor,
  ): Promise<BulkView> {
    await validateZones(bodies, locate);
    return runExclusively(async (transaction) => {
      const { ids, ...counts } = await saveAll(transaction, bodies);
      const deleted = deletesOthers ? await store.deleteOthers(ids, transaction) : 0;
      const total = await store.count(undefined, transaction);
      if (total > maxZones) throw deliverabilityErrors.too_many_zones();
      const details = { ...counts, deleted };
      await audit.recordIn(transaction, [
        { ...by, action: 'deliverability.zones_imported', details },
      ]);
      return { ...details, total };
    });
  }

  /** Runs one write at a time, so that names stay unique and the limit holds. */
  function runExclusively<Result>(
    write: (transaction: Database) => Promise<Result>,
  ): Promise<Result> {
    return db.transaction().execute(async (transaction) => {
      await store.lock(transaction);
      return write(transaction);
    });
  }

  function put(id: string, by: AuditActor, bodyOf: (before: Zone) => ZoneBody): Promise<Zone> {
    return runExclusively(async (transaction) => {
      const before = await get(id, transaction);
      const body = bodyOf(before);
      validateZone(body);
      const named = await store.findByName(body.country, body.name, transaction);
      if (named !== undefined && named.id !== id) throw deliverabilityErrors.zone_exists();
      const zone = await save(transaction, body, before);
      await record(transaction, 'deliverability.zone_changed', id, by);
      return zone;
    });
  }

  async function saveAll(transaction: Database, bodies: readonly ZoneBody[]) {
    const ids: string[] = [];
    let created = 0;
    for (const body of bodies) {
      const before = await store.findByName(body.country, body.name, transaction);
      if (before === undefined) created += 1;
      ids.push((await save(transaction, body, before)).id);
      await nextTurn();
    }
    return { ids, created, changed: ids.length - created };
  }

  /** Stores a zone, replacing `before` if given. */
  async function save(transaction: Database, body: ZoneBody, before?: Zone): Promise<Zone> {
    const updatedAt = new Date(clock.now());
    const { id, createdAt } = before ?? { id: uuidv7(updatedAt.getTime()), createdAt: updatedAt };
    const zone = { ...body, id, createdAt, updatedAt };
    const saved = { zone, intervals: zoneIntervals(body) };
    if (before === undefined) await store.insert(saved, transaction);
    else await store.update(saved, transaction);
    return zone;
  }

  function record(transaction: Database, action: AuditAction, id: string, by: AuditActor) {
    return audit.recordIn(transaction, [{ ...by, action, target: { kind: 'delivery_zone', id } }]);
  }
}
