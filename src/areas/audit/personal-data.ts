import { sql } from 'kysely';
import {
  type AreaPersonalData,
  type Person,
  personalRows,
} from '../../platform/database/personal-data.ts';

const kept =
  'Kept for 400 days, so that the audit log stays complete. It names you only by a random id ' +
  'that no longer leads to anyone once your account is gone.';
const withoutAddress = { address: sql`null` };

const isActor = ({ userId }: Person) => sql<boolean>`actor_kind = 'user' and actor_id = ${userId}`;

const actions = personalRows({
  table: 'audit_events',
  title: 'actions',
  about: 'What you did, as the audit log recorded it.',
  names: ['actor_id', 'address', 'details'],
  of: (person) => sql`(${isActor(person)})`,
  shows: [
    'id',
    'at',
    'action',
    'outcome',
    'reason',
    'target_kind',
    'target_id',
    'address',
    'request_id',
    'details',
  ],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: withoutAddress,
    keeps: `What you did, without your IP addresses. ${kept}`,
  },
});

/** Who did it and from where is about someone else. */
const affected = personalRows({
  table: 'audit_events',
  title: 'actions_of_others',
  about: 'What others, or the service itself, did to your account.',
  names: ['target_id'],
  of: (person) =>
    sql`target_kind = 'user' and target_id = ${person.userId} and not (
      actor_id is not null and ${isActor(person)})`,
  shows: ['id', 'at', 'action', 'outcome', 'reason', 'actor_kind', 'details'],
  key: 'id',
  onDeletion: { action: 'keep', keeps: `What others did to your account. ${kept}` },
});

const codes = personalRows({
  table: 'audit_events',
  title: 'one_time_codes',
  about: 'One-time codes for your addresses and numbers: sent, entered and refused.',
  names: ['target_id', 'address'],
  of: ({ identifierHashes }) =>
    sql`target_kind = 'identifier' and target_id = any(${[...identifierHashes]}::text[])`,
  shows: ['id', 'at', 'action', 'outcome', 'reason', 'details'],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: withoutAddress,
    keeps: `When codes were requested and entered, without IP addresses. ${kept}`,
  },
});

export const auditPersonalData: AreaPersonalData = {
  area: 'audit',
  rows: [actions, affected, codes],
};
