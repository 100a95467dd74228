import type { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import { signupErrors } from './errors.ts';
import type { SignupListQuery, SignupPage } from './schemas.ts';
import type { SignupRecord, SignupStore } from './store.ts';
import { pageById } from '../../lib/keyset-page.ts';

export interface SignupAdminDeps {
  db: Database;
  store: SignupStore;
  audit: Pick<Audit, 'recordIn'>;
}

type Page = z.output<typeof SignupPage>;

const toView = ({
  consent_at: consented,
  created_at: created,
  confirmed_at: confirmed,
  ...rest
}: SignupRecord): Page['data'][number] => ({
  ...rest,
  consent_at: consented?.toISOString() ?? null,
  created_at: created.toISOString(),
  confirmed_at: confirmed?.toISOString() ?? null,
});

/** Signups, managed by admins. */
export function createSignupAdmin({ db, store, audit }: SignupAdminDeps) {
  return {
    async list(
      { email, confirmed, limit, cursor }: z.output<typeof SignupListQuery>,
      signal?: AbortSignal,
    ): Promise<Page> {
      const [found, total] = await Promise.all([
        store.list(
          { email: email?.toLowerCase(), confirmed, after: cursor, limit: limit + 1 },
          signal,
        ),
        store.countConfirmed(signal),
      ]);
      return { ...pageById(found.map(toView), limit), total };
    },

    /** Deletes a signup. The audit log holds only its id. Throws `signup.not_found`. */
    async delete(id: string, by: AuditActor): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        if (!(await store.delete(id, transaction))) throw signupErrors.not_found();
        await audit.recordIn(transaction, [
          { ...by, action: 'signup.removed', target: { kind: 'signup', id } },
        ]);
      });
    },
  };
}

export type SignupAdmin = ReturnType<typeof createSignupAdmin>;
