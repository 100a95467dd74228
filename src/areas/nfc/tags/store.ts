import type { Database } from '../../../platform/database/database.ts';
import { nfcErrors } from '../errors.ts';
import type { TagRow } from '../tables.ts';

interface Reencoding extends Partial<Omit<TagRow, 'id' | 'code' | 'parameters'>> {
  parameters?: string;
}

/** A tap that may count. */
interface CountedTap {
  id: string;
  /** The keys that the message was verified with: their version, or the sealed file key. */
  keyVersion: number | null;
  fileKey: string | null;
  counter: number | undefined;
  /** The UID that the message tells. */
  uid: string | undefined;
  network: string | undefined;
  at: Date;
}

/** Whether a statement failed because another tag has the UID. */
export const isUidConflict = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'nfc_tags_uid';

/** The statement that counts a tap, if its keys and UID are the tag's and its counter grew. */
function countStatement(db: Database, tap: CountedTap) {
  const { id, counter, uid, at } = tap;
  let update = db
    .updateTable('nfc_tags')
    .set(({ eb }) => ({
      taps: eb('taps', '+', 1),
      last_tapped_at: at,
      last_network: tap.network ?? null,
      ...(counter !== undefined && { last_counter: counter }),
      ...(uid !== undefined && { uid }),
    }))
    .where('id', '=', id)
    .where('active', '=', true)
    .where('key_version', 'is not distinct from', tap.keyVersion)
    .where('sealed_file_key', 'is not distinct from', tap.fileKey);
  if (counter !== undefined)
    update = update.where((where) =>
      where.or([where('last_counter', 'is', null), where('last_counter', '<', counter)]),
    );
  if (uid !== undefined)
    update = update.where((where) => where.or([where('uid', 'is', null), where('uid', '=', uid)]));
  return update;
}

/** NFC tags in SQL. */
export function createTagStore(db: Database) {
  return {
    findByCode: (code: string): Promise<TagRow | undefined> =>
      db.selectFrom('nfc_tags').selectAll().where('code', '=', code).executeTakeFirst(),

    /** Throws `nfc.tag_not_found`. */
    get: (id: string): Promise<TagRow> =>
      db
        .selectFrom('nfc_tags')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow(() => nfcErrors.tag_not_found()),

    /**
     * Sets new keys and settings, and forgets the counter. Returns false if the tag was changed or
     * tapped since it was read.
     */
    async reencode(within: Database, before: TagRow, changes: Reencoding): Promise<boolean> {
      const { numUpdatedRows } = await within
        .updateTable('nfc_tags')
        .set({ ...changes, last_counter: null, last_network: null })
        .where('id', '=', before.id)
        .where('updated_at', '=', before.updated_at)
        .where('taps', '=', before.taps)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /**
     * Counts a tap. One statement, so that of parallel taps with one counter a single one counts,
     * on any replica. Returns the row; undefined if the counter has not grown, or if the tag was
     * changed since it was read. Rejects with an error that `isUidConflict` knows.
     */
    count: (tap: CountedTap): Promise<TagRow | undefined> =>
      countStatement(db, tap).returningAll().executeTakeFirst(),

    /** Counts a tap that nothing proves. Returns false if the tag was switched off meanwhile. */
    async countUnproven(
      id: string,
      { at, counter }: { at: Date; counter: number | undefined },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('nfc_tags')
        .set(({ eb }) => ({
          taps: eb('taps', '+', 1),
          last_tapped_at: at,
          ...(counter !== undefined && { last_counter: counter }),
        }))
        .where('id', '=', id)
        .where('active', '=', true)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

export type TagStore = ReturnType<typeof createTagStore>;
