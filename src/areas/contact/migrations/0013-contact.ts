import { createTables } from '../../../platform/database/create-tables.ts';

export const contactTables = {
  /** Messages from the contact form. */
  contact_messages: {
    /** UUID version 7. */
    id: 'uuid primary key',
    name: 'text not null',
    /** As entered. */
    email: 'text not null',
    subject: 'text not null',
    message: 'text not null',
    topic: 'text not null',
    status: "text not null check (status in ('new', 'open', 'replied', 'closed', 'spam'))",
    /** When the status last changed, from which deletion is counted. */
    status_at: 'timestamptz not null',
    /** The admin who takes care of it. */
    assignee_id: 'uuid references users on delete set null',
    proof: "text not null check (proof in ('solved', 'none', 'key'))",
    spam_reason: 'text',
    /** The sender's /24 or /48 in CIDR notation; null if unknown. */
    network: 'text',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
    /** When a notice about it was sent to admins. */
    noticed_at: 'timestamptz',
  },
  /** Answers that were sent by email. */
  contact_replies: {
    id: 'uuid primary key',
    message_id: 'uuid not null references contact_messages on delete cascade',
    author_kind: 'text not null',
    author_id: 'text not null',
    text: 'text not null',
    /** The id in the delivery log; null until the email is queued. */
    delivery_id: 'uuid',
    created_at: 'timestamptz not null',
  },
  /** Notes that only admins see. */
  contact_notes: {
    id: 'uuid primary key',
    message_id: 'uuid not null references contact_messages on delete cascade',
    author_kind: 'text not null',
    author_id: 'text not null',
    text: 'text not null',
    created_at: 'timestamptz not null',
  },
  /** Texts that admins insert into answers. */
  contact_saved_replies: {
    id: 'uuid primary key',
    name: 'text not null constraint contact_saved_replies_name unique',
    text: 'text not null',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
  },
} as const;

export const contact = createTables(contactTables, [
  'create index contact_messages_by_creation on contact_messages (created_at, id)',
  'create index contact_messages_by_update on contact_messages (updated_at, id)',
  'create index contact_messages_by_status on contact_messages (status, created_at, id)',
  'create index contact_messages_by_status_age on contact_messages (status, status_at)',
  'create index contact_messages_by_email on contact_messages (fold_case(email))',
  `create index contact_messages_unnoticed on contact_messages (id)
    where noticed_at is null and status = 'new'`,
  `create index contact_messages_by_assignee on contact_messages (assignee_id)
    where assignee_id is not null`,
  'create index contact_replies_by_message on contact_replies (message_id, created_at, id)',
  'create index contact_replies_unsent on contact_replies (id) where delivery_id is null',
  'create index contact_notes_by_message on contact_notes (message_id, created_at, id)',
  'create index contact_saved_replies_by_name on contact_saved_replies (name, id)',
  'create index contact_saved_replies_by_creation on contact_saved_replies (created_at, id)',
]);
