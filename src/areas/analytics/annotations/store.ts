import { type Selectable, sql } from 'kysely';
import type { Tables } from '../../../platform/database/tables.ts';
import type { Database } from '../../../platform/database/database.ts';

export type Annotation = Selectable<Tables['annotations']>;

/** The position of the last annotation of a page. */
export interface AnnotationPosition {
  at: Date;
  id: string;
}

export interface AnnotationListOptions {
  site: number;
  from: Date | undefined;
  /** Excluded. */
  to: Date | undefined;
  after: AnnotationPosition | undefined;
  limit: number;
}

/** Reads and writes the table `annotations`. */
export const annotationStore = {
  /** Lists annotations, newest `at` first. */
  async list(
    db: Database,
    { site, from, to, after, limit }: AnnotationListOptions,
  ): Promise<Annotation[]> {
    let query = db
      .selectFrom('annotations')
      .selectAll()
      .where('site', '=', site)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (from !== undefined) query = query.where('at', '>=', from);
    if (to !== undefined) query = query.where('at', '<', to);
    if (after !== undefined)
      query = query.where(sql<boolean>`(at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
    return query.execute();
  },

  async count(db: Database, site: number): Promise<number> {
    const { n } = await db
      .selectFrom('annotations')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('site', '=', site)
      .executeTakeFirstOrThrow();
    return n;
  },

  async insert(db: Database, annotation: Annotation): Promise<void> {
    await db.insertInto('annotations').values(annotation).execute();
  },

  /** Returns the changed row; undefined if the site has none with this id. */
  update: (
    db: Database,
    site: number,
    id: string,
    changes: Partial<Pick<Annotation, 'at' | 'text'>> & Pick<Annotation, 'updated_at'>,
  ): Promise<Annotation | undefined> =>
    db
      .updateTable('annotations')
      .set(changes)
      .where('site', '=', site)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** Returns false if the site has none with this id. */
  async delete(db: Database, site: number, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('annotations')
      .where('site', '=', site)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  },
};
