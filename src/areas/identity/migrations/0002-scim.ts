import { createTables } from '../../../platform/database/create-tables.ts';

export const scimTables = {
  /** What an identity provider says about a user beyond the columns of `users`. */
  scim_users: {
    user_id: 'uuid primary key references users on delete cascade',
    /** As sent. Null: the primary address is the user name. */
    user_name: 'text',
    /** Lower-case `user_name`, unique. */
    user_name_key: 'text',
    given_name: 'text',
    family_name: 'text',
    /** The key of the email identity that is primary, while the user has it. */
    email_key: 'text',
    /** The same for the number. */
    phone_key: 'text',
    updated_at: 'timestamptz not null',
    /** When the user was deleted over SCIM, which hides it from SCIM. */
    removed_at: 'timestamptz',
  },
} as const;

/** Columns of `scim_users` that SCIM shows. */
const shown = ['user_name', 'given_name', 'family_name', 'email_key', 'phone_key', 'removed_at'];
const rowOf = (name: string): string => shown.map((column) => `${name}.${column}`).join(', ');

/** The time moves with each change, even with two in one millisecond, which is what SCIM shows. */
const nextTime = `greatest(clock_timestamp(),
  coalesce(changed_at, created_at) + interval '1 millisecond')`;

/** The people as SCIM shows them, with the time of the last change, whoever made it. */
const peopleView = `create view scim_people as
  select users.id, users.external_id, users.name, scim.given_name, scim.family_name,
    users.disabled_at is null as active, users.created_at,
    coalesce(users.changed_at, users.created_at) as modified_at,
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
  where scim.removed_at is null`;

const functions = [
  `create function users_note_change() returns trigger language plpgsql as $$
    begin
      new.changed_at := greatest(clock_timestamp(),
        coalesce(old.changed_at, old.created_at) + interval '1 millisecond');
      return new;
    end $$`,
  // What is stored together with a new user is no change of it.
  `create function users_note_part(of_user uuid, at timestamptz)
    returns void language sql as $$
      update users set changed_at = ${nextTime}
      where id = of_user and not (
        created_at = at and xmin::text = mod(txid_current(), 4294967296)::text)
    $$`,
  `create function identities_note_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then perform users_note_part(old.user_id, null);
      else perform users_note_part(new.user_id,
        case when tg_op = 'INSERT' then new.created_at end);
      end if;
      return null;
    end $$`,
  `create function scim_users_note_change() returns trigger language plpgsql as $$
    begin
      perform users_note_part(new.user_id, case when tg_op = 'INSERT' then new.updated_at end);
      return null;
    end $$`,
];

const triggers = [
  `create trigger users_note_change
    before update of name, roles, external_id, disabled_at on users
    for each row when (
      (old.name, old.roles, old.external_id, old.disabled_at is null) is distinct from
      (new.name, new.roles, new.external_id, new.disabled_at is null))
    execute function users_note_change()`,
  `create trigger identities_note_entry after insert or delete on identities
    for each row execute function identities_note_change()`,
  `create trigger identities_note_change after update on identities
    for each row when (
      (old.user_id, old.kind, old.key, old.value, old.verified_at is null) is distinct from
      (new.user_id, new.kind, new.key, new.value, new.verified_at is null))
    execute function identities_note_change()`,
  `create trigger scim_users_note_entry after insert on scim_users
    for each row execute function scim_users_note_change()`,
  `create trigger scim_users_note_change after update on scim_users
    for each row when ((${rowOf('old')}) is distinct from (${rowOf('new')}))
    execute function scim_users_note_change()`,
];

/**
 * What an identity provider says about people, and when what others see of a user changed last,
 * kept by triggers: no writer can forget it.
 */
export const scim = createTables(scimTables, [
  `create unique index scim_users_name on scim_users (user_name_key)
    where user_name_key is not null`,
  peopleView,
  ...functions,
  ...triggers,
]);
