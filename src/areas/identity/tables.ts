import type { ColumnType } from 'kysely';
import type { Rows } from '../../platform/database/create-tables.ts';
import type { userTables } from './migrations/0001-users.ts';
import type { scimTables } from './migrations/0002-scim.ts';
import type { factorTables } from './migrations/0007-second-factor.ts';
import type { contactUndoTables } from './migrations/0020-contact-undos.ts';
import type { deviceTables } from './migrations/0008-devices.ts';

/** A view of the users whom SCIM shows. */
interface ScimPeopleView {
  id: string;
  user_name: string;
  external_id: string | null;
  name: string | null;
  given_name: string | null;
  family_name: string | null;
  active: boolean;
  email_key: string | null;
  /** A list of `{value, primary}`, the primary one first. */
  emails: unknown;
  /** E.164. */
  phone: string | null;
  phone_verified: boolean;
  created_at: Date;
  modified_at: Date;
}

type Created = typeof userTables &
  typeof scimTables &
  typeof factorTables &
  typeof deviceTables &
  typeof contactUndoTables;

interface KnownColumns {
  users: { changed_at: ColumnType<Date | null, never, never> };
  invitations: { inviter_kind: 'user' | 'api_key' };
  contact_undos: { kind: 'email' | 'phone' };
}

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<Created, KnownColumns> {
    /** A view of users with an address and a number of each. */
    user_directory: Tables['users'];
    scim_people: ScimPeopleView;
  }
}
