import { sql } from 'kysely';
import {
  type AreaPersonalData,
  deletedUser,
  isUser,
  personalRows,
} from '../../../platform/database/personal-data.ts';

const requests = personalRows({
  table: 'clearance_requests',
  title: 'device_requests',
  about: 'Requests to approve your devices for admin actions.',
  names: ['user_id', 'address', 'reason'],
  of: isUser('user_id'),
  shows: [
    'device_id',
    'state',
    'reason',
    'address',
    'country',
    'note',
    'created_at',
    'expires_at',
    'decided_at',
  ],
  key: 'id',
  onDeletion: { action: 'delete' },
});

const decisions = personalRows({
  table: 'clearance_requests',
  title: 'device_decisions',
  about: 'Requests from others that you approved or denied as an admin.',
  names: ['decided_by'],
  of: isUser('decided_by'),
  shows: ['device_id', 'state', 'note', 'decided_at'],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: { decided_by: sql`${deletedUser}` },
    keeps: 'The decisions, without your id, because they are about other people’s devices.',
  },
});

const devices = personalRows({
  table: 'devices',
  title: 'devices',
  about: 'Your devices, as this service recognizes them.',
  names: ['user_id', 'name', 'address', 'fingerprint_hash', 'rotated_from'],
  of: isUser('user_id'),
  shows: [
    'id',
    'name',
    'state',
    'state_at',
    'reasons',
    'platform',
    'os',
    'browser',
    'browser_major',
    'countries',
    'address',
    'first_seen',
    'last_seen',
    'cleared_at',
    'expires_at',
  ],
  key: 'id',
  onDeletion: { action: 'delete' },
});

export const devicesPersonalData: AreaPersonalData = {
  area: 'devices',
  rows: [requests, decisions, devices],
};
