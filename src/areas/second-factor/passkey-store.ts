import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { PasskeysTable } from './tables.ts';

export interface Passkey {
  id: string;
  credentialId: string;
  /** COSE (RFC 9052). */
  publicKey: Uint8Array<ArrayBuffer>;
  transports: readonly string[];
  deviceType: PasskeysTable['device_type'];
  backedUp: boolean;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface NewPasskey extends Omit<Passkey, 'lastUsedAt'> {
  counter: number;
  aaguid: string;
}

export interface Room {
  /** How many a person may have. */
  most: number;
  /** Only as the person's first second factor of all. */
  onlyAsFirst: boolean;
}

export type Put = 'put' | 'full' | 'not_first' | 'known';

function toPasskey(row: PasskeysTable): Passkey {
  const {
    id,
    credential_id: credentialId,
    public_key: publicKey,
    transports,
    device_type: deviceType,
    backed_up: backedUp,
    name,
    created_at: createdAt,
    last_used_at: lastUsedAt,
  } = row;
  return {
    id,
    credentialId,
    publicKey: new Uint8Array(publicKey),
    transports,
    deviceType,
    backedUp,
    name,
    createdAt,
    lastUsedAt,
  };
}

function toRow(
  userId: string,
  {
    id,
    credentialId,
    publicKey,
    transports,
    deviceType,
    backedUp,
    name,
    createdAt,
    counter,
    aaguid,
  }: NewPasskey,
): PasskeysTable {
  return {
    id,
    user_id: userId,
    credential_id: credentialId,
    public_key: Buffer.from(publicKey),
    counter,
    transports: [...transports],
    device_type: deviceType,
    backed_up: backedUp,
    aaguid,
    name,
    created_at: createdAt,
    last_used_at: null,
  };
}

/** Passkeys in SQL: public keys, so nothing in it is enough to sign in with. */
export function createPasskeyStore(db: Database) {
  async function room(
    transaction: Database,
    userId: string,
    { most, onlyAsFirst }: Room,
  ): Promise<Put> {
    // Of two that are added in the same moment the second one waits here, and then sees the first.
    await transaction
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const { held } = await transaction
      .selectFrom('passkeys')
      .select((eb) => eb.fn.countAll<number>().as('held'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (held >= most) return 'full';
    if (!onlyAsFirst) return 'put';
    const app = await transaction
      .selectFrom('totp_factors')
      .select('id')
      .where('user_id', '=', userId)
      .where('verified_at', 'is not', null)
      .executeTakeFirst();
    return held > 0 || app !== undefined ? 'not_first' : 'put';
  }

  return {
    /** Oldest first. */
    async listOf(userId: string): Promise<Passkey[]> {
      const rows = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toPasskey);
    },

    /** Keeps a passkey when there is room for it and nobody has it. */
    put(userId: string, passkey: NewPasskey, limits: Room): Promise<Put> {
      return db.transaction().execute(async (transaction) => {
        const answer = await room(transaction, userId, limits);
        if (answer !== 'put') return answer;
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto('passkeys')
          .values(toRow(userId, passkey))
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows > 0n ? 'put' : 'known';
      });
    },

    /**
     * Notes a use. False when the counter did not rise, though it had (WebAuthn §6.1.1): then there
     * are two of it.
     */
    async use(
      id: string,
      { counter, backedUp, at }: { counter: number; backedUp: boolean; at: Date },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set({ counter, backed_up: backedUp, last_used_at: at })
        .where('id', '=', id)
        .where(sql<boolean>`(counter = 0 or counter < ${counter})`)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** False when the person has none with this id. */
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;
