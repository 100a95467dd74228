import {
  type AreaPersonalData,
  isOneOf,
  personalRows,
} from '../../platform/database/personal-data.ts';

export const commsPersonalData: AreaPersonalData = {
  area: 'messages',
  rows: [
    personalRows({
      table: 'deliveries',
      title: 'messages',
      about: 'Messages that were sent to you in the last 30 days. Their content is not stored.',
      names: ['to_hash'],
      of: ({ recipientHashes }) => isOneOf('to_hash', recipientHashes),
      shows: ['id', 'created_at', 'channel', 'template', 'status', 'attempts', 'updated_at'],
      key: 'id',
      onDeletion: { action: 'delete' },
    }),
  ],
};
