import { sql } from 'kysely';
import {
  type AreaPersonalData,
  deletedUser,
  isAddressOf,
  isMailboxOf,
  isUser,
  personalRows,
} from '../../../platform/database/personal-data.ts';

const identities = personalRows({
  table: 'identities',
  title: 'sign_in_methods',
  about: 'Email addresses, phone numbers and company accounts that you can sign in with.',
  names: ['user_id', 'key', 'value'],
  of: isUser('user_id'),
  shows: ['kind', 'key', 'value', 'verified_at', 'created_at'],
  key: 'id',
  onDeletion: { action: 'delete' },
});

const avatars = personalRows({
  table: 'avatars',
  title: 'pictures',
  about: 'The picture that you uploaded. The file itself is avatar.webp.',
  names: ['user_id', 'image'],
  of: isUser('user_id'),
  shows: ['hash', 'created_at'],
  key: 'user_id',
  onDeletion: { action: 'delete' },
});

const dataExports = personalRows({
  table: 'data_exports',
  title: 'exports',
  about: 'Copies of your data that you asked for. Each is kept for 24 hours.',
  names: ['user_id'],
  of: isUser('user_id'),
  shows: ['requested_at', 'state'],
  key: 'id',
  onDeletion: { action: 'delete' },
});

const contactUndos = personalRows({
  table: 'contact_undos',
  title: 'replaced_sign_in_methods',
  about: 'Addresses and numbers that you replaced. Each can be restored for seven days.',
  names: ['user_id', 'key', 'value'],
  of: isUser('user_id'),
  shows: ['kind', 'value', 'created_at', 'expires_at'],
  key: 'id',
  onDeletion: { action: 'delete' },
});

const account = personalRows({
  table: 'users',
  title: 'account',
  about: 'Your profile and your account.',
  names: ['id', 'name', 'picture', 'locale', 'zoneinfo', 'external_id'],
  of: isUser('id'),
  shows: [
    'id',
    'name',
    'picture',
    'locale',
    'zoneinfo',
    'external_id',
    'roles',
    'created_at',
    'last_seen_at',
    'disabled_at',
    'deletion_due_at',
  ],
  key: 'id',
  onDeletion: { action: 'delete' },
});

const invitations = personalRows({
  table: 'invitations',
  title: 'invitations',
  about: 'Invitations to your email addresses.',
  names: ['email', 'note', 'accepted_by'],
  of: (person) => sql`(${isAddressOf('email', person)} or ${isUser('accepted_by')(person)})`,
  shows: ['email', 'role', 'note', 'created_at', 'sent_at', 'expires_at', 'accepted_at'],
  key: 'id',
  onDeletion: {
    action: 'delete',
    of: (person) => sql`(${isMailboxOf('email', person)} or ${isUser('accepted_by')(person)})`,
  },
});

/** Without the invited person, who is someone else. */
const sentInvitations = personalRows({
  table: 'invitations',
  title: 'sent_invitations',
  about: 'Invitations that you sent.',
  names: ['inviter_id'],
  of: isUser('inviter_id'),
  shows: ['role', 'created_at', 'sent_at', 'expires_at', 'accepted_at', 'revoked_at'],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: { inviter_id: sql`${deletedUser}` },
    keeps: 'The invitation, without your name, because it is about someone else.',
  },
});

const scimUsers = personalRows({
  table: 'scim_users',
  title: 'identity_provider',
  about: 'What your identity provider says about you over SCIM.',
  names: [
    'user_id',
    'user_name',
    'user_name_key',
    'given_name',
    'family_name',
    'email_key',
    'phone_key',
  ],
  of: isUser('user_id'),
  shows: ['user_name', 'given_name', 'family_name', 'email_key', 'phone_key', 'updated_at'],
  key: 'user_id',
  onDeletion: { action: 'delete' },
});

/** Exists only after the account is gone, so that no export shows it. */
const erasures = personalRows({
  table: 'account_erasures',
  title: 'erasures',
  about: 'Where to send the message that your account was deleted.',
  names: ['id', 'sealed'],
  of: () => sql`false`,
  shows: [],
  key: 'id',
  onDeletion: {
    action: 'keep',
    keeps: 'Your address, encrypted, for the hour until the message about the deletion is sent.',
  },
});

/** The account itself comes last: deleting it deletes everything that refers to it. */
export const usersPersonalData: AreaPersonalData = {
  area: 'account',
  rows: [
    avatars,
    dataExports,
    invitations,
    sentInvitations,
    scimUsers,
    identities,
    contactUndos,
    erasures,
    account,
  ],
};
