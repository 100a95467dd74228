import { sql } from 'kysely';
import {
  type AreaPersonalData,
  isUser,
  personalRows,
} from '../../../platform/database/personal-data.ts';

const resets = personalRows({
  table: 'factor_resets',
  title: 'factor_resets',
  about: 'Requests from admins to remove your second factors because you had lost them.',
  names: ['user_id', 'reason'],
  of: isUser('user_id'),
  shows: [
    'state',
    'reason',
    'requested_at',
    'approved_at',
    'due_at',
    'changed_at',
    'cancel_reason',
  ],
  key: 'id',
  onDeletion: { action: 'delete' },
});

/** Resets of someone else in which the person took part as an admin. */
const part = (
  column: 'requested_by' | 'approved_by' | 'canceled_by',
  title: string,
  about: string,
) =>
  personalRows({
    table: 'factor_resets',
    title,
    about,
    names: [column],
    of: isUser(column),
    shows: ['state', 'requested_at', 'changed_at'],
    key: 'id',
    onDeletion: {
      action: 'clear',
      set: { [column]: sql`null` },
      keeps: 'The 2FA reset, without your name, because it is about someone else.',
    },
  });

export const secondFactorPersonalData: AreaPersonalData = {
  area: 'second-factor',
  rows: [
    personalRows({
      table: 'totp_factors',
      title: 'authenticator_apps',
      about: 'Your authenticator app, without its secret.',
      names: ['user_id'],
      of: isUser('user_id'),
      shows: ['created_at', 'verified_at', 'last_used_at'],
      key: 'id',
      onDeletion: { action: 'delete' },
    }),
    personalRows({
      table: 'backup_codes',
      title: 'backup_codes',
      about: 'When each of your backup codes was created and used. The codes are not stored.',
      names: ['user_id'],
      of: isUser('user_id'),
      shows: ['created_at', 'used_at'],
      key: 'id',
      onDeletion: { action: 'delete' },
    }),
    personalRows({
      table: 'passkeys',
      title: 'passkeys',
      about: 'Your passkeys, without their keys.',
      names: ['user_id', 'name'],
      of: isUser('user_id'),
      shows: ['name', 'device_type', 'backed_up', 'transports', 'created_at', 'last_used_at'],
      key: 'id',
      onDeletion: { action: 'delete' },
    }),
    resets,
    part(
      'requested_by',
      'requested_resets',
      'Resets of the 2FA of other people that you requested.',
    ),
    part('approved_by', 'approved_resets', 'Resets of the 2FA of other people that you approved.'),
    part('canceled_by', 'canceled_resets', 'Resets of 2FA that you canceled.'),
  ],
};
