import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { cancellable, type Database } from '../../platform/database/database.ts';
import type { DeliveryZonesTable } from './tables.ts';
import type { Areas, Interval } from './intervals.ts';
import { type Service, ServiceBody } from './schemas.ts';

export interface Zone extends Areas {
  id: string;
  name: string;
  country: string;
  priority: number;
  currency: string | null;
  services: Service[];
  createdAt: Date;
  updatedAt: Date;
}

/** A zone, and what comparisons with it are made with. */
export interface NewZone {
  zone: Zone;
  intervals: readonly Interval[];
}

/** The zone that a code is in, and whether it names that very code. */
export interface Match {
  zone: Pick<Zone, 'id' | 'name' | 'currency' | 'services'>;
  isExact: boolean;
}

const areasSchema = z.object({
  codes: z.array(z.string()),
  ranges: z.array(z.object({ from: z.string(), to: z.string() })),
  prefixes: z.array(z.string()),
});
const servicesSchema = z.array(ServiceBody);
const rowsTogether = 1000;

const toZone = ({
  id,
  name,
  country,
  priority,
  currency,
  areas,
  services,
  created_at: createdAt,
  updated_at: updatedAt,
}: Selectable<DeliveryZonesTable>): Zone => ({
  id,
  name,
  country,
  priority,
  currency,
  ...areasSchema.parse(areas),
  services: servicesSchema.parse(services),
  createdAt,
  updatedAt,
});

const changingColumns = ({
  name,
  country,
  priority,
  currency,
  codes,
  ranges,
  prefixes,
  services,
  updatedAt,
}: Zone) => ({
  name,
  country,
  priority,
  currency,
  areas: JSON.stringify({ codes, ranges, prefixes }),
  services: JSON.stringify(services),
  updated_at: updatedAt,
});

const beginnings = (key: string): string[] =>
  Array.from({ length: key.length + 1 }, (_, length) => key.slice(0, length));

/** Delivery zones. Each verb that writes may be given the transaction that it is part of. */
export function createZoneStore(db: Database) {
  async function writeIntervals(
    within: Database,
    { zone: { id, country }, intervals }: NewZone,
  ): Promise<void> {
    await within.deleteFrom('delivery_intervals').where('zone_id', '=', id).execute();
    for (let at = 0; at < intervals.length; at += rowsTogether) {
      await within
        .insertInto('delivery_intervals')
        .values(
          intervals
            .slice(at, at + rowsTogether)
            .map(({ low, high, isRange, isExact, specificity }) => ({
              zone_id: id,
              country,
              low,
              high,
              is_range: isRange,
              is_exact: isExact,
              specificity,
            })),
        )
        .execute();
    }
  }

  return {
    /** Whether it was new: false when there is a zone with this name in this country. */
    async insert(zone: NewZone, within: Database): Promise<boolean> {
      const row = await within
        .insertInto('delivery_zones')
        .values({
          id: zone.zone.id,
          created_at: zone.zone.createdAt,
          ...changingColumns(zone.zone),
        })
        .onConflict((conflict) => conflict.columns(['country', 'name']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (row !== undefined) await writeIntervals(within, zone);
      return row !== undefined;
    },

    async update(zone: NewZone, within: Database): Promise<void> {
      await within
        .updateTable('delivery_zones')
        .set(changingColumns(zone.zone))
        .where('id', '=', zone.zone.id)
        .execute();
      await writeIntervals(within, zone);
    },

    async find(id: string, within: Database = db): Promise<Zone | undefined> {
      const row = await within
        .selectFrom('delivery_zones')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? undefined : toZone(row);
    },

    async findNamed(country: string, name: string, within: Database): Promise<Zone | undefined> {
      const row = await within
        .selectFrom('delivery_zones')
        .selectAll()
        .where('country', '=', country)
        .where('name', '=', name)
        .executeTakeFirst();
      return row === undefined ? undefined : toZone(row);
    },

    /** Oldest first, after the id `after`. */
    async list(
      {
        country,
        after,
        most,
      }: { country?: string | undefined; after?: string | undefined; most: number },
      signal?: AbortSignal,
    ): Promise<Zone[]> {
      let query = cancellable(db, signal)
        .selectFrom('delivery_zones')
        .selectAll()
        .orderBy('id')
        .limit(most);
      if (country !== undefined) query = query.where('country', '=', country);
      if (after !== undefined) query = query.where('id', '>', after);
      return (await query.execute()).map(toZone);
    },

    async count(country?: string, within: Database = db): Promise<number> {
      const query = within
        .selectFrom('delivery_zones')
        .select(({ fn }) => fn.countAll<string>().as('count'));
      const { count } = await (
        country === undefined ? query : query.where('country', '=', country)
      ).executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Whether there was one. */
    async remove(id: string, within: Database): Promise<boolean> {
      const { numDeletedRows } = await within
        .deleteFrom('delivery_zones')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** How many were deleted. */
    async removeOthers(ids: readonly string[], within: Database): Promise<number> {
      const { numDeletedRows } = await within
        .deleteFrom('delivery_zones')
        .where('id', 'not in', [...ids])
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** Whoever writes zones waits here for the others: what is checked before stays true. */
    async lock(within: Database): Promise<void> {
      await sql`lock table delivery_zones in share row exclusive mode`.execute(within);
    },

    /** The zone that counts for a key: the highest priority, then what says most of it, then the oldest. */
    async match(country: string, key: string): Promise<Match | undefined> {
      const row = await db
        .selectFrom('delivery_intervals as i')
        .innerJoin('delivery_zones as z', 'z.id', 'i.zone_id')
        .select(['z.id', 'z.name', 'z.currency', 'z.services', 'i.is_exact'])
        .where('i.country', '=', country)
        .where((where) =>
          where.or([
            where.and([
              where('i.is_range', '=', false),
              where('i.low', 'in', beginnings(key)),
              where('i.high', '>=', key),
            ]),
            where.and([
              where('i.is_range', '=', true),
              where('i.low', '<=', key),
              where('i.high', '>=', key),
            ]),
          ]),
        )
        .orderBy('z.priority', 'desc')
        .orderBy('i.specificity', 'desc')
        .orderBy('z.created_at')
        .orderBy('z.name')
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { id, name, currency, services, is_exact: isExact } = row;
      return { zone: { id, name, currency, services: servicesSchema.parse(services) }, isExact };
    },

    /** Whether there is any zone at all. */
    async isEmpty(): Promise<boolean> {
      return (
        (await db.selectFrom('delivery_zones').select('id').limit(1).executeTakeFirst()) ===
        undefined
      );
    },
  };
}

export type ZoneStore = ReturnType<typeof createZoneStore>;
