import { type Selectable, sql } from 'kysely';
import type { Database } from '../../../../platform/database/database.ts';
import type { Tables } from '../../../../platform/database/tables.ts';

export interface Passkey {
  id: string;
  credentialId: string;
  /** COSE (RFC 9052). */
  publicKey: Uint8Array<ArrayBuffer>;
  transports: readonly string[];
  deviceType: Tables['passkeys']['device_type'];
  backedUp: boolean;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface NewPasskey extends Omit<Passkey, 'lastUsedAt'> {
  counter: number;
  aaguid: string;
}

export interface PasskeyLimits {
  /** The maximum of passkeys per user. */
  max: number;
  /** Whether the passkey must be the user's first second factor. */
  onlyAsFirst: boolean;
}

/** `full`: the user has the maximum already; `known`: the credential is registered already. */
export type AddOutcome = 'added' | 'full' | 'not_first' | 'known';

function toPasskey(row: Selectable<Tables['passkeys']>): Passkey {
  return {
    id: row.id,
    credentialId: row.credential_id,
    publicKey: new Uint8Array(row.public_key),
    transports: row.transports,
    deviceType: row.device_type,
    backedUp: row.backed_up,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

function toRow(userId: string, passkey: NewPasskey): Selectable<Tables['passkeys']> {
  const { id, counter, aaguid, name } = passkey;
  return {
    id,
    counter,
    aaguid,
    name,
    user_id: userId,
    credential_id: passkey.credentialId,
    public_key: Buffer.from(passkey.publicKey),
    transports: [...passkey.transports],
    device_type: passkey.deviceType,
    backed_up: passkey.backedUp,
    created_at: passkey.createdAt,
    last_used_at: null,
  };
}

/**
 * Why a passkey may not be added, if so. Locks the user's row, to serialise concurrent additions.
 */
async function checkLimits(
  transaction: Database,
  userId: string,
  { max, onlyAsFirst }: PasskeyLimits,
): Promise<'full' | 'not_first' | undefined> {
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
  if (held >= max) return 'full';
  if (!onlyAsFirst) return undefined;
  const app = await transaction
    .selectFrom('totp_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  return held > 0 || app !== undefined ? 'not_first' : undefined;
}

/** Passkeys in SQL: public keys, which are not enough to sign in with. */
export function createPasskeyStore(db: Database) {
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

    /** Adds a passkey within the limits, unless it is registered already. */
    add(userId: string, passkey: NewPasskey, limits: PasskeyLimits): Promise<AddOutcome> {
      return db.transaction().execute(async (transaction) => {
        const refusal = await checkLimits(transaction, userId, limits);
        if (refusal !== undefined) return refusal;
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto('passkeys')
          .values(toRow(userId, passkey))
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows > 0n ? 'added' : 'known';
      });
    },

    /**
     * Records a use. Returns false when a non-zero counter did not increase: then the passkey was
     * probably cloned (WebAuthn §6.1.1).
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

    /** Returns false when the user has no passkey with this id. */
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
