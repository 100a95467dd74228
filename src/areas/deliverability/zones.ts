import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { memoizeByObject } from '../../lib/memoize.ts';
import { pageById } from '../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../platform/database/database.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../platform/validation/validation-error.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import { deliverabilityErrors } from './errors.ts';
import { intervalsOf } from './intervals.ts';
import type { BulkView, ChangeZoneBody, ZoneBody } from './schemas.ts';
import type { NewZone, Zone, ZoneStore } from './zone-store.ts';

export interface ZonesDeps {
  db: Database;
  store: ZoneStore;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
}

const mostZones = 2000;
/** Codes, ranges and prefixes of all zones of one request. */
const mostAreas = 50_000;
const mostFaults = 100;
const areasOf = memoizeByObject((body: ZoneBody) => intervalsOf(body.country, body));

const fault = (path: readonly (string | number)[], message: string) =>
  valueError(['body', ...path], message);

/** What can't be meant so, though each member by itself is well. */
function faultsOf(body: ZoneBody, path: readonly (string | number)[]): ValidationDetail[] {
  const { currency, services } = body;
  const problems = areasOf(body).problems.slice(0, mostFaults);
  const priceless =
    currency === null && services.some(({ price }) => price !== null)
      ? [fault([...path, 'currency'], 'must be given where services have a price')]
      : [];
  return [
    ...problems.map((problem) => fault([...path, ...problem.path], problem.message)),
    ...priceless,
  ];
}

function repeatedNames(
  bodies: readonly ZoneBody[],
  placeOf: (at: number) => (string | number)[],
): ValidationDetail[] {
  const seen = new Set<string>();
  return bodies.flatMap(({ country, name }, at) =>
    seen.size === seen.add(`${country} ${name}`).size
      ? [fault([...placeOf(at), 'name'], 'is given more than once for this country')]
      : [],
  );
}

/** The first of them, without holding up everybody else for as long as it takes to look at all. */
async function faultsOfAll(
  bodies: readonly ZoneBody[],
  placeOf: (at: number) => (string | number)[],
): Promise<ValidationDetail[]> {
  const areas = bodies.reduce(
    (sum, { codes, ranges, prefixes }) => sum + codes.length + ranges.length + prefixes.length,
    0,
  );
  if (areas > mostAreas)
    return [
      fault(
        [],
        `there can be ${mostAreas} codes, ranges and prefixes in one request: send the zones in several`,
      ),
    ];
  const faults: ValidationDetail[] = [];
  for (const [at, body] of bodies.entries()) {
    if (faults.length >= mostFaults) break;
    faults.push(...faultsOf(body, placeOf(at)));
    await nextTurn();
  }
  return [...faults, ...repeatedNames(bodies, placeOf)];
}

const refuse = (faults: readonly ValidationDetail[]): void => {
  if (faults.length > 0) throw new RequestValidationError(faults);
};

function toNewZone(
  body: ZoneBody,
  { id, createdAt, updatedAt }: Pick<Zone, 'id' | 'createdAt' | 'updatedAt'>,
): NewZone {
  return { zone: { ...body, id, createdAt, updatedAt }, intervals: areasOf(body).intervals };
}

/** What is left out of a change stays as it is. */
function changed(
  { name, country, priority, currency, codes, ranges, prefixes, services }: Zone,
  change: ChangeZoneBody,
): ZoneBody {
  const given = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
  return {
    name,
    country,
    priority,
    currency,
    codes: [...codes],
    ranges: [...ranges],
    prefixes: [...prefixes],
    services,
    ...given,
  };
}

/** Delivery zones as admins keep them. */
export function createZones({ db, store, audit, clock }: ZonesDeps) {
  const now = () => new Date(clock.now());

  /** One after the other, so that names stay unique and the most is not passed. */
  const writing = <Result>(write: (transaction: Database) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (transaction) => {
      await store.lock(transaction);
      return write(transaction);
    });

  const note = (
    transaction: Database,
    by: AuditActor,
    action: AuditAction,
    id: string | undefined,
    details: Record<string, unknown> = {},
  ) =>
    audit.recordIn(transaction, [
      {
        ...by,
        action,
        details,
        ...(id === undefined ? {} : { target: { kind: 'delivery_zone', id } }),
      },
    ]);

  async function write(
    transaction: Database,
    body: ZoneBody,
    before: Zone | undefined,
  ): Promise<Zone> {
    const at = now();
    const zone = toNewZone(body, {
      id: before?.id ?? uuidv7(at.getTime()),
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
    });
    if (before === undefined) await store.insert(zone, transaction);
    else await store.update(zone, transaction);
    return zone.zone;
  }

  const put = (id: string, by: AuditActor, bodyOf: (before: Zone) => ZoneBody): Promise<Zone> =>
    writing(async (transaction) => {
      const before = await store.find(id, transaction);
      if (before === undefined) throw deliverabilityErrors.zone_not_found();
      const body = bodyOf(before);
      refuse(faultsOf(body, []));
      const named = await store.findNamed(body.country, body.name, transaction);
      if (named !== undefined && named.id !== id) throw deliverabilityErrors.zone_exists();
      const zone = await write(transaction, body, before);
      await note(transaction, by, 'deliverability.zone_changed', id);
      return zone;
    });

  async function writeAll(transaction: Database, bodies: readonly ZoneBody[]) {
    const ids: string[] = [];
    let created = 0;
    for (const body of bodies) {
      const before = await store.findNamed(body.country, body.name, transaction);
      if (before === undefined) created += 1;
      ids.push((await write(transaction, body, before)).id);
      await nextTurn();
    }
    return { ids, created, changed: ids.length - created };
  }

  return {
    /** Throws `deliverability.zone_exists`, `.too_many_zones`, and a RequestValidationError for codes that can't be of the country. */
    create: async (body: ZoneBody, by: AuditActor): Promise<Zone> => {
      refuse(faultsOf(body, []));
      return writing(async (transaction) => {
        if ((await store.findNamed(body.country, body.name, transaction)) !== undefined)
          throw deliverabilityErrors.zone_exists();
        if ((await store.count(undefined, transaction)) >= mostZones)
          throw deliverabilityErrors.too_many_zones();
        const zone = await write(transaction, body, undefined);
        await note(transaction, by, 'deliverability.zone_created', zone.id);
        return zone;
      });
    },

    /** Throws `deliverability.zone_not_found`. */
    async get(id: string): Promise<Zone> {
      const zone = await store.find(id);
      if (zone === undefined) throw deliverabilityErrors.zone_not_found();
      return zone;
    },

    list: async (
      {
        country,
        limit,
        cursor,
      }: { country?: string | undefined; limit: number; cursor?: string | undefined },
      signal?: AbortSignal,
    ) => {
      const [found, total] = await Promise.all([
        store.list({ country, after: cursor, most: limit + 1 }, signal),
        store.count(country, cancellable(db, signal)),
      ]);
      const { data, next_cursor } = pageById(found, limit);
      return { zones: data, next: next_cursor, total };
    },

    /** Every zone, for the export. */
    all: (signal?: AbortSignal): Promise<Zone[]> => store.list({ most: mostZones }, signal),

    /** What is left out is empty then. Throws as `create`, and `deliverability.zone_not_found`. */
    replace: (id: string, body: ZoneBody, by: AuditActor): Promise<Zone> => put(id, by, () => body),

    /** What is left out stays. Throws as `replace`. */
    change: (id: string, body: ChangeZoneBody, by: AuditActor): Promise<Zone> =>
      put(id, by, (before) => changed(before, body)),

    /** Throws `deliverability.zone_not_found`. */
    remove: (id: string, by: AuditActor): Promise<void> =>
      writing(async (transaction) => {
        if (!(await store.remove(id, transaction))) throw deliverabilityErrors.zone_not_found();
        await note(transaction, by, 'deliverability.zone_deleted', id);
      }),

    /**
     * Creates zones, or replaces those with the same country and name: all of them or, when one is wrong, none.
     * `placeOf` says where in the request a zone stands.
     */
    async bulk(
      bodies: readonly ZoneBody[],
      {
        replace,
        placeOf = (at) => ['zones', at],
      }: { replace: boolean; placeOf?: (at: number) => (string | number)[] },
      by: AuditActor,
    ): Promise<BulkView> {
      refuse(await faultsOfAll(bodies, placeOf));
      return writing(async (transaction) => {
        const { ids, ...counts } = await writeAll(transaction, bodies);
        const deleted = replace ? await store.removeOthers(ids, transaction) : 0;
        const total = await store.count(undefined, transaction);
        if (total > mostZones) throw deliverabilityErrors.too_many_zones();
        await note(transaction, by, 'deliverability.zones_imported', undefined, {
          ...counts,
          deleted,
        });
        return { ...counts, deleted, total };
      });
    },
  };
}

export type Zones = ReturnType<typeof createZones>;
