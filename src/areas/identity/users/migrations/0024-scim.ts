import { sql } from 'kysely';
import type { Migration } from 'kysely';

/** What an identity provider says about people over SCIM, and the people as it sees them. */
export const scim: Migration = {
  async up(db) {
    await db.schema
      .createTable('scim_users')
      .addColumn('user_id', 'uuid', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('user_name', 'text')
      .addColumn('user_name_key', 'text')
      .addColumn('given_name', 'text')
      .addColumn('family_name', 'text')
      .addColumn('email_key', 'text')
      .addColumn('phone_key', 'text')
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .addColumn('removed_at', 'timestamptz')
      .execute();
    await sql`create unique index scim_users_name on scim_users (user_name_key)
      where user_name_key is not null`.execute(db);
    await sql`create view scim_people as
      select users.id, users.external_id, users.name, scim.given_name, scim.family_name,
        users.disabled_at is null as active, users.created_at,
        greatest(users.created_at, scim.updated_at) as modified_at,
        email.key as email_key, phone.key as phone,
        coalesce(phone.verified_at is not null, false) as phone_verified,
        coalesce(scim.user_name, email.value, phone.key, users.id::text) as user_name,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'value', each.value, 'primary', each.key = email.key
          ) order by each.key <> email.key, each.id), '[]')
          from identities as each where each.user_id = users.id and each.kind = 'email') as emails
      from users
      left join scim_users as scim on scim.user_id = users.id
      left join lateral (
        select key, value from identities where user_id = users.id and kind = 'email'
        order by key is not distinct from scim.email_key desc, verified_at is null, id limit 1
      ) as email on true
      left join lateral (
        select key, verified_at from identities where user_id = users.id and kind = 'phone'
        order by key is not distinct from scim.phone_key desc, verified_at is null, id limit 1
      ) as phone on true
      where scim.removed_at is null`.execute(db);
  },
};
