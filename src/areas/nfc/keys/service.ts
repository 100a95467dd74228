import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Seal } from '../../../lib/secrets/seal.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import type { NfcParts } from '../compose.ts';
import { nfcErrors } from '../errors.ts';
import type { MasterKeyView } from '../schemas.ts';

const keyBytes = 16;

/** The master keys, which are random, versioned and stored encrypted. */
export function createMasterKeys({
  db,
  clock,
  seal,
  audit,
}: Pick<NfcParts, 'db' | 'clock' | 'seal' | 'audit'>) {
  const opened = new Map<number, Buffer>();
  return { current, get, list, rotate };

  /** The version for tags that are encoded now. The first key is made when it is needed. */
  async function current(): Promise<number> {
    const version = await newestVersion(db);
    if (version !== undefined) return version;
    await addVersion(db, 1);
    return 1;
  }

  /** The key of a version, 16 bytes. Throws `nfc.keys_unreadable`, and for unknown versions. */
  async function get(version: number): Promise<Buffer> {
    const known = opened.get(version);
    if (known !== undefined) return known;
    const { sealed_key: sealed } = await db
      .selectFrom('nfc_master_keys')
      .select('sealed_key')
      .where('version', '=', version)
      .executeTakeFirstOrThrow();
    const key = openKey(seal, sealed);
    opened.set(version, key);
    return key;
  }

  /** All versions, newest first, and how many tags have each. */
  async function list(): Promise<MasterKeyView[]> {
    const { rows } = await sql<{ version: number; tags: number; created_at: Date }>`
      select version, created_at,
        (select count(*)::integer from nfc_tags where key_version = version) as tags
      from nfc_master_keys order by version desc`.execute(db);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }

  /**
   * Adds a version. Tags keep verifying with theirs until they are re-encoded. Throws
   * `auth.step_up_required`.
   */
  async function rotate(by: RequestActor): Promise<void> {
    requireFresh(by, clock.now());
    await db.transaction().execute(async (transaction) => {
      // Rotations wait for one another, so that each adds a version.
      await sql`lock table nfc_master_keys in share row exclusive mode`.execute(transaction);
      const version = ((await newestVersion(transaction)) ?? 0) + 1;
      await addVersion(transaction, version);
      const target = { kind: 'nfc_master_key', id: String(version) };
      await audit.recordIn(transaction, [{ ...by, action: 'nfc.key_rotated', target }]);
    });
  }

  /** Adds a version unless another replica has just added it. */
  async function addVersion(within: Database, version: number): Promise<void> {
    await within
      .insertInto('nfc_master_keys')
      .values({
        version,
        sealed_key: seal.seal(randomBytes(keyBytes).toString('hex')),
        created_at: new Date(clock.now()),
      })
      .onConflict((conflict) => conflict.column('version').doNothing())
      .execute();
  }
}

export type MasterKeys = ReturnType<typeof createMasterKeys>;

/** The highest version; undefined before the first key. */
async function newestVersion(db: Database): Promise<number | undefined> {
  const row = await db
    .selectFrom('nfc_master_keys')
    .select('version')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version;
}

/**
 * Opens a key that is stored encrypted. Throws `nfc.keys_unreadable` if it was encrypted with
 * another AUTH_SECRET.
 */
export function openKey(seal: Seal, sealed: string): Buffer {
  const hex = seal.open(sealed);
  if (hex === undefined) throw nfcErrors.keys_unreadable();
  return Buffer.from(hex, 'hex');
}
