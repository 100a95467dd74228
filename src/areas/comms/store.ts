import type { Selectable } from 'kysely';
import type { Database } from '../../platform/database.ts';
import type { DeliveriesTable } from '../../platform/tables.ts';
import type { Channel } from './provider.ts';

export type DeliveryStatus = Selectable<DeliveriesTable>['status'];

export interface NewDelivery {
  id: string;
  keyHash: string;
  channel: Channel;
  template: string;
  toHash: string;
  provider: string;
  expiresAt: Date;
  now: Date;
}

export interface Outcome {
  status: DeliveryStatus;
  attempts: number;
  provider: string;
  reference: string | null;
  errorCode: string | null;
  now: Date;
}

/** The rows of `deliveries`. Knows recipients and idempotency keys as hashes only. */
export function createDeliveryStore(db: Database) {
  return {
    /** Enters a delivery, unless there is one with its key, and gives the one that is there. */
    async enter({ id, keyHash, channel, template, toHash, provider, expiresAt, now }: NewDelivery): Promise<{ id: string; status: DeliveryStatus }> {
      const entered = await db.insertInto('deliveries').values({
        id, key_hash: keyHash, channel, template, to_hash: toHash, status: 'queued', attempts: 0, provider,
        provider_reference: null, error_code: null, expires_at: expiresAt, created_at: now, updated_at: now,
      }).onConflict((conflict) => conflict.column('key_hash').doNothing()).returning(['id', 'status']).executeTakeFirst();
      return entered ?? db.selectFrom('deliveries').select(['id', 'status']).where('key_hash', '=', keyHash).executeTakeFirstOrThrow();
    },

    async status(id: string): Promise<DeliveryStatus | undefined> {
      const row = await db.selectFrom('deliveries').select('status').where('id', '=', id).executeTakeFirst();
      return row?.status;
    },

    async note(id: string, { status, attempts, provider, reference, errorCode, now }: Outcome): Promise<void> {
      await db.updateTable('deliveries').set({
        status, attempts, provider, provider_reference: reference, error_code: errorCode, updated_at: now,
      }).where('id', '=', id).execute();
    },

    /** Settles queued deliveries that expired before `expiredBefore`: their job was lost, or never added. */
    async expire(expiredBefore: Date, now: Date): Promise<void> {
      await db.updateTable('deliveries').set({ status: 'expired', updated_at: now })
        .where('status', '=', 'queued').where('expires_at', '<', expiredBefore).execute();
    },

    async deleteOlderThan(time: Date): Promise<void> {
      await db.deleteFrom('deliveries').where('created_at', '<', time).execute();
    },
  };
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
