import type { ColumnType } from 'kysely';

/** What an identity provider says about a user beyond the columns of `users`. */
export interface ScimUsersTable {
  user_id: string;
  /** As sent. Null: the primary address is the user name. */
  user_name: string | null;
  /** Lower-case `user_name`, unique. */
  user_name_key: string | null;
  given_name: string | null;
  family_name: string | null;
  /** The key of the email identity that is primary; if the user has it no more, another one is. */
  email_key: string | null;
  /** The same for the number. */
  phone_key: string | null;
  updated_at: Date;
  /** When the user was deleted over SCIM, which hides it from SCIM. */
  removed_at: ColumnType<Date | null, Date | null | undefined>;
}

/** A view of the users whom SCIM shows. */
export interface ScimPeopleView {
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

declare module '../../../../platform/database/tables.ts' {
  interface Tables {
    scim_users: ScimUsersTable;
    scim_people: ScimPeopleView;
  }
}
