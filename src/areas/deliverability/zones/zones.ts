import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { pageById } from '../../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import { deliverabilityErrors } from '../errors.ts';
import type { BulkView, ChangeZoneBody, ZoneBody } from '../schemas.ts';
import type { Zone, ZoneFilter, ZoneStore } from './zone-store.ts';
import { type LocateZone, validateZone, validateZones, zoneIntervals } from './zone-validation.ts';

export interface ZonesDeps {
  db: Database;
  store: ZoneStore;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
}

const maxZones = 2000;

/** Applies a partial update: members that it omits stay unchanged. */
function applyChange(
  { name, country, priority, currency, codes, ranges, prefixes, services, rule }: Zone,
  change: ChangeZoneBody,
): ZoneBody {
  const areas = { codes: [...codes], ranges: [...ranges], prefixes: [...prefixes] };
  const changed = Object.entries(change).filter(([, value]) => value !== undefined);
  const body = { name, country, priority, currency, services, rule, ...areas };
  return { ...body, ...Object.fromEntries(changed) };
}

function createWriter({ db, store, audit, clock }: ZonesDeps) {
  /** Stores a zone, replacing `before` if given. */
  async function save(
    transaction: Database,
    body: ZoneBody,
    before: Zone | undefined,
  ): Promise<Zone> {
    const updatedAt = new Date(clock.now());
    const { id, createdAt } = before ?? { id: uuidv7(updatedAt.getTime()), createdAt: updatedAt };
    const zone = { ...body, id, createdAt, updatedAt };
    const saved = { zone, intervals: zoneIntervals(body) };
    if (before === undefined) await store.insert(saved, transaction);
    else await store.update(saved, transaction);
    return zone;
  }

  return {
    save,

    /** Runs one write at a time, so that names stay unique and the limit holds. */
    runExclusively: <Result>(write: (transaction: Database) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(async (transaction) => {
        await store.lock(transaction);
        return write(transaction);
      }),

    async saveAll(transaction: Database, bodies: readonly ZoneBody[]) {
      const ids: string[] = [];
      let created = 0;
      for (const body of bodies) {
        const before = await store.findByName(body.country, body.name, transaction);
        if (before === undefined) created += 1;
        ids.push((await save(transaction, body, before)).id);
        await nextTurn();
      }
      return { ids, created, changed: ids.length - created };
    },

    record: (transaction: Database, action: AuditAction, id: string, by: AuditActor) =>
      audit.recordIn(transaction, [{ ...by, action, target: { kind: 'delivery_zone', id } }]),
  };
}

type Writer = ReturnType<typeof createWriter>;

function createSingleWrites(store: ZoneStore, { runExclusively, save, record }: Writer) {
  const put = (id: string, by: AuditActor, bodyOf: (before: Zone) => ZoneBody): Promise<Zone> =>
    runExclusively(async (transaction) => {
      const before = await store.find(id, transaction);
      if (before === undefined) throw deliverabilityErrors.zone_not_found();
      const body = bodyOf(before);
      validateZone(body);
      const named = await store.findByName(body.country, body.name, transaction);
      if (named !== undefined && named.id !== id) throw deliverabilityErrors.zone_exists();
      const zone = await save(transaction, body, before);
      await record(transaction, 'deliverability.zone_changed', id, by);
      return zone;
    });

  return {
    /**
     * Throws `deliverability.zone_exists`, `.too_many_zones`, and a RequestValidationError for
     * codes that the country can't have.
     */
    async create(body: ZoneBody, by: AuditActor): Promise<Zone> {
      validateZone(body);
      return runExclusively(async (transaction) => {
        if ((await store.findByName(body.country, body.name, transaction)) !== undefined)
          throw deliverabilityErrors.zone_exists();
        if ((await store.count(undefined, transaction)) >= maxZones)
          throw deliverabilityErrors.too_many_zones();
        const zone = await save(transaction, body, undefined);
        await record(transaction, 'deliverability.zone_created', zone.id, by);
        return zone;
      });
    },

    /** Throws the errors of `create`, and `deliverability.zone_not_found`. */
    replace: (id: string, body: ZoneBody, by: AuditActor): Promise<Zone> => put(id, by, () => body),

    /**
     * Updates only the members of `change`, which may depend on the stored zone. Throws the errors
     * of `replace`.
     */
    update: (
      id: string,
      change: ChangeZoneBody | ((before: Zone) => ChangeZoneBody),
      by: AuditActor,
    ): Promise<Zone> =>
      put(id, by, (before) =>
        applyChange(before, typeof change === 'function' ? change(before) : change),
      ),

    /** Throws `deliverability.zone_not_found`. */
    delete: (id: string, by: AuditActor): Promise<void> =>
      runExclusively(async (transaction) => {
        if (!(await store.delete(id, transaction))) throw deliverabilityErrors.zone_not_found();
        await record(transaction, 'deliverability.zone_deleted', id, by);
      }),
  };
}

export interface BulkOptions {
  /** Whether to delete all zones that are not in the request. */
  replace: boolean;
  locate?: LocateZone;
}

/** Delivery zones, managed by admins. */
export function createZones(deps: ZonesDeps) {
  const { db, store, audit } = deps;
  const writer = createWriter(deps);

  return {
    ...createSingleWrites(store, writer),

    /** Throws `deliverability.zone_not_found`. */
    async get(id: string): Promise<Zone> {
      const zone = await store.find(id);
      if (zone === undefined) throw deliverabilityErrors.zone_not_found();
      return zone;
    },

    async list(
      { country, limit, cursor }: Omit<ZoneFilter, 'after'> & { cursor?: string | undefined },
      signal?: AbortSignal,
    ) {
      const [found, total] = await Promise.all([
        store.list({ country, after: cursor, limit: limit + 1 }, signal),
        store.count(country, cancellable(db, signal)),
      ]);
      return { ...pageById(found, limit), total };
    },

    /** Every zone, for the export. */
    all: (signal?: AbortSignal): Promise<Zone[]> => store.list({ limit: maxZones }, signal),

    /**
     * Creates zones, and replaces those with the same country and name. When one is invalid, none
     * is stored. Throws a RequestValidationError, `deliverability.too_many_zones`.
     */
    async bulk(
      bodies: readonly ZoneBody[],
      { replace, locate = (index) => ['zones', index] }: BulkOptions,
      by: AuditActor,
    ): Promise<BulkView> {
      await validateZones(bodies, locate);
      return writer.runExclusively(async (transaction) => {
        const { ids, ...counts } = await writer.saveAll(transaction, bodies);
        const deleted = replace ? await store.deleteOthers(ids, transaction) : 0;
        const total = await store.count(undefined, transaction);
        if (total > maxZones) throw deliverabilityErrors.too_many_zones();
        const details = { ...counts, deleted };
        await audit.recordIn(transaction, [
          { ...by, action: 'deliverability.zones_imported', details },
        ]);
        return { ...details, total };
      });
    },
  };
}

export type Zones = ReturnType<typeof createZones>;
