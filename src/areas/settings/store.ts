import type { Database } from '../../platform/database/database.ts';

/** A group of settings as it is stored. */
export interface StoredGroup {
  value: unknown;
  picture: Buffer | null;
  updated_at: Date;
}

/** Returns a group of settings; undefined if nothing of it was ever saved. */
export const readGroup = (db: Database, name: string): Promise<StoredGroup | undefined> =>
  db
    .selectFrom('settings')
    .select(['value', 'picture', 'updated_at'])
    .where('name', '=', name)
    .executeTakeFirst();

/** Makes sure that the group exists, and returns it locked, so that changes follow each other. */
export async function lockGroup(within: Database, name: string, now: Date): Promise<StoredGroup> {
  await within
    .insertInto('settings')
    .values({ name, value: '{}', updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return within
    .selectFrom('settings')
    .select(['value', 'picture', 'updated_at'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Changes a group. */
export async function writeGroup(
  within: Database,
  name: string,
  { value, picture, now }: { value?: object; picture?: Buffer | null; now: Date },
): Promise<void> {
  await within
    .updateTable('settings')
    .set({
      updated_at: now,
      ...(value !== undefined && { value: JSON.stringify(value) }),
      ...(picture !== undefined && { picture }),
    })
    .where('name', '=', name)
    .execute();
}
