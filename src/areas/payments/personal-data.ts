import { sql } from 'kysely';
import {
  type AreaPersonalData,
  isUser,
  type Person,
  personalRows,
} from '../../platform/database/personal-data.ts';

/** Events of the person's customer at the provider, and those that name the person. */
const isAbout = ({ userId, emails }: Person) => sql<boolean>`(
  coalesce(payload #>> '{data,object,customer,id}', payload #>> '{data,object,customer}') in (
    select customer_id from plans where user_id::text = ${userId} and customer_id is not null)
  or payload #>> '{data,object,client_reference_id}' = ${userId}
  or payload #>> '{data,object,metadata,user_id}' = ${userId}
  or fold_case(payload #>> '{data,object,customer_email}') = any(${[...emails]}::text[])
  or fold_case(payload #>> '{data,object,customer_details,email}') = any(${[...emails]}::text[]))`;

const events = personalRows({
  table: 'payment_events',
  title: 'payment_events',
  about: 'Messages from the payment provider about you.',
  names: ['payload'],
  of: isAbout,
  shows: ['id', 'type', 'created', 'received_at', 'status', 'payload'],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: {
      payload: sql`'{}'::jsonb`,
      status: sql`case when status in ('pending', 'failed') then 'ignored' else status end`,
    },
    keeps:
      'Number, type and time of each message, without its content, for 400 days: so that none ' +
      'is handled twice. The payment provider keeps its own records.',
  },
});

const plans = personalRows({
  table: 'plans',
  title: 'plans',
  about: 'Your plan.',
  names: ['user_id', 'customer_id'],
  of: isUser('user_id'),
  shows: [
    'plan',
    'status',
    'current_period_end',
    'customer_id',
    'subscription_id',
    'updated_at',
    'event_created',
  ],
  key: 'user_id',
  onDeletion: { action: 'delete' },
});

export const paymentsPersonalData: AreaPersonalData = { area: 'payments', rows: [events, plans] };
