import {
  type AreaPersonalData,
  isUser,
  personalRows,
} from '../../platform/database/personal-data.ts';

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
  ],
};
