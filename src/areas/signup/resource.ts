import { sql } from 'kysely';
import { defineResource } from '../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../platform/resource/table-service.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { signupFilters, SignupView } from './schemas.ts';
import { texts } from './texts/en.ts';

/** Sign-ups, for admins: people create them, and their details never change. */
export const signupResource = defineResource({
  name: 'signups',
  type: 'Signup',
  path: '/api/v1/signups',
  tag: 'signup',
  scope: 'admin',
  view: SignupView,
  filters: signupFilters,
  sorts: ['-created_at', 'email'],
  searches: 'email, name, company and phone number',
  notFound: 'signup.not_found',
  columns: ['email', 'name', 'company', 'plan', 'confirmed_at', 'created_at'],
  tones: { confirmed_at: { set: 'ok', unset: 'warn' } },
  consoleList: 'users/sign-ups',
  entryPage: 'users/sign-ups',
  texts: texts.signups,
});

/** Reads and deletes sign-ups. The audit log holds only their ids. */
export function createSignupAdmin({ db, clock, keys }: Resources, audit: Audit) {
  const {
    list,
    get,
    delete: remove,
  } = createTableService(signupResource, {
    db,
    clock,
    keys,
    audit,
    table: 'signups',
    kind: 'signup',
    actions: { deleted: 'signup.removed' },
    searched: ['email', 'name', 'company', 'phone'],
    filters: {
      confirmed: (isConfirmed) =>
        isConfirmed === true
          ? sql<boolean>`confirmed_at is not null`
          : sql<boolean>`confirmed_at is null`,
    },
    toView: (row) => SignupView.parse(viewFromRow(signupResource, row)),
  });
  return { list, get, delete: remove };
}
