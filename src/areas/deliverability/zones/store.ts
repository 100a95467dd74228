import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { Interval } from './intervals.ts';
import { ServiceBody, type ZoneBody } from './schemas.ts';

export interface Zone extends ZoneBody {
  id: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A zone, and the key intervals that postal codes are matched against. */
interface NewZone {
  zone: Zone;
  intervals: readonly Interval[];
}

/** The zone of a postal code, and whether the zone lists exactly that code. */
export interface ZoneMatch {
  zone: Pick<Zone, 'id' | 'name' | 'currency' | 'services'>;
  isExact: boolean;
}

export interface ZoneFilter {
  country?: string | undefined;
  /** Only zones with a greater id. */
  after?: string | undefined;
  limit: number;
}

const areasSchema = z.object({
  codes: z.array(z.string()),
  ranges: z.array(z.object({ from: z.string(), to: z.string() })),
  prefixes: z.array(z.string()),
});
const servicesSchema = z.array(ServiceBody);
const insertBatchSize = 1000;

function toZone(row: Selectable<Tables['delivery_zones']>): Zone {
  const {
    created_at: createdAt,
    updated_at: updatedAt,
    is_rule: rule,
    areas,
    services,
    ...rest
  } = row;
  return {
    ...rest,
    ...areasSchema.parse(areas),
    services: servicesSchema.parse(services),
    rule,
    createdAt,
    updatedAt,
  };
}

/** The columns that updates change. */
const updatableColumns = (zone: Zone) => ({
  name: zone.name,
  country: zone.country,
  priority: zone.priority,
  currency: zone.currency,
  areas: JSON.stringify({ codes: zone.codes, ranges: zone.ranges, prefixes: zone.prefixes }),
  services: JSON.stringify(zone.services),
  is_rule: zone.rule,
  updated_at: zone.updatedAt,
});

const prefixesOf = (key: string): string[] =>
  Array.from({ length: key.length + 1 }, (_, length) => key.slice(0, length));

async function replaceIntervals(
  db: Database,
  { zone: { id, country }, intervals }: NewZone,
): Promise<void> {
  await db.deleteFrom('delivery_intervals').where('zone_id', '=', id).execute();
  const rows = intervals.map(({ low, high, isRange, isExact, specificity }) => ({
    zone_id: id,
    country,
    low,
    high,
    is_range: isRange,
    is_exact: isExact,
    specificity,
  }));
  for (let offset = 0; offset < rows.length; offset += insertBatchSize) {
    const batch = rows.slice(offset, offset + insertBatchSize);
    await db.insertInto('delivery_intervals').values(batch).execute();
  }
}

function createZoneQueries(db: Database) {
  return {
    async find(id: string, within = db): Promise<Zone | undefined> {
      const query = within.selectFrom('delivery_zones').selectAll().where('id', '=', id);
      const row = await query.executeTakeFirst();
      return row === undefined ? undefined : toZone(row);
    },

    async findByName(country: string, name: string, within: Database): Promise<Zone | undefined> {
      const row = await within
        .selectFrom('delivery_zones')
        .selectAll()
        .where('country', '=', country)
        .where('name', '=', name)
        .executeTakeFirst();
      return row === undefined ? undefined : toZone(row);
    },

    /** Oldest first. */
    async list({ country, after, limit }: ZoneFilter, signal?: AbortSignal): Promise<Zone[]> {
      let query = cancellable(db, signal)
        .selectFrom('delivery_zones')
        .selectAll()
        .orderBy('id')
        .limit(limit);
      if (country !== undefined) query = query.where('country', '=', country);
      if (after !== undefined) query = query.where('id', '>', after);
      return (await query.execute()).map(toZone);
    },

    async count(country?: string, within = db): Promise<number> {
      let query = within
        .selectFrom('delivery_zones')
        .select(({ fn }) => fn.countAll<string>().as('count'));
      if (country !== undefined) query = query.where('country', '=', country);
      return Number((await query.executeTakeFirstOrThrow()).count);
    },

    /** Whether a zone defines the served area. Rules don't. */
    async hasArea(): Promise<boolean> {
      const query = db.selectFrom('delivery_zones').select('id').where('is_rule', '=', false);
      return (await query.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/**
 * The zone that applies to a key: the one with the highest priority, then the most specific, then
 * the oldest.
 */
async function matchZone(
  db: Database,
  country: string,
  key: string,
): Promise<ZoneMatch | undefined> {
  const row = await db
    .selectFrom('delivery_intervals as i')
    .innerJoin('delivery_zones as z', 'z.id', 'i.zone_id')
    .select(['z.id', 'z.name', 'z.currency', 'z.services', 'i.is_exact'])
    .where('i.country', '=', country)
    .where((where) => {
      const isBelowHigh = where('i.high', '>=', key);
      const isRange = (value: boolean) => where('i.is_range', '=', value);
      return where.or([
        where.and([isRange(false), where('i.low', 'in', prefixesOf(key)), isBelowHigh]),
        where.and([isRange(true), where('i.low', '<=', key), isBelowHigh]),
      ]);
    })
    .orderBy('z.priority', 'desc')
    .orderBy('i.specificity', 'desc')
    .orderBy('z.created_at')
    .orderBy('z.name')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { services, is_exact: isExact, ...zone } = row;
  return { zone: { ...zone, services: servicesSchema.parse(services) }, isExact };
}

/** Writes, which run within the caller's transaction. */
const zoneWrites = {
  /** Returns false when the country has a zone with this name. */
  async insert(created: NewZone, within: Database): Promise<boolean> {
    const { id, createdAt } = created.zone;
    const row = await within
      .insertInto('delivery_zones')
      .values({ id, created_at: createdAt, ...updatableColumns(created.zone) })
      .onConflict((conflict) => conflict.columns(['country', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row !== undefined) await replaceIntervals(within, created);
    return row !== undefined;
  },

  async update(changed: NewZone, within: Database): Promise<void> {
    await within
      .updateTable('delivery_zones')
      .set(updatableColumns(changed.zone))
      .where('id', '=', changed.zone.id)
      .execute();
    await replaceIntervals(within, changed);
  },

  /** Returns false when no zone has this id. */
  async delete(id: string, within: Database): Promise<boolean> {
    const query = within.deleteFrom('delivery_zones').where('id', '=', id);
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  },

  /** Deletes all zones but these. Returns the count. */
  async deleteOthers(ids: readonly string[], within: Database): Promise<number> {
    const query = within.deleteFrom('delivery_zones').where('id', 'not in', [...ids]);
    return Number((await query.executeTakeFirst()).numDeletedRows);
  },

  /** Serialises writers, so that what one has checked stays true until it commits. */
  async lock(within: Database): Promise<void> {
    await sql`lock table delivery_zones in share row exclusive mode`.execute(within);
  },
};

/** Delivery zones in SQL. */
export const createZoneStore = (db: Database) => ({
  ...createZoneQueries(db),
  ...zoneWrites,
  match: (country: string, key: string): Promise<ZoneMatch | undefined> =>
    matchZone(db, country, key),
});

export type ZoneStore = ReturnType<typeof createZoneStore>;
