import type { ColumnType } from 'kysely';

/** Users. Their addresses and numbers are in `identities`. */
export interface UsersTable {
  /** UUID version 7. */
  id: string;
  name: string | null;
  picture: string | null;
  roles: string[];
  created_at: Date;
  last_seen_at: Date | null;
  disabled_at: Date | null;
  /** The id of the person elsewhere, such as at an identity provider. */
  external_id: ColumnType<string | null, string | null | undefined>;
  /** BCP 47. */
  locale: string | null;
  /** IANA time zone. */
  zoneinfo: string | null;
  /** When the account is deleted, unless the user keeps it. */
  deletion_due_at: Date | null;
  /**
   * When the name, roles, access or a way to sign in changed last. Triggers keep it. Null: never.
   */
  changed_at: ColumnType<Date | null, never, never>;
}

/** An address, a number or an account elsewhere. A verified one belongs to one user. */
export interface IdentitiesTable {
  id: string;
  user_id: string;
  kind: 'email' | 'phone' | 'idp';
  /** Normalised: lower-case address, E.164 number, `issuer subject`. */
  key: string;
  /** As entered. */
  value: string;
  verified_at: Date | null;
  created_at: Date;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    users: UsersTable;
    identities: IdentitiesTable;
    /** A view of users with an address and a number of each. */
    user_directory: UsersTable;
  }
}
