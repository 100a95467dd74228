import type { ContactProof, ContactStatus, SpamReason } from './statuses.ts';

/** Messages from the contact form. */
export interface ContactMessagesTable {
  /** UUID version 7. */
  id: string;
  name: string;
  /** As entered. */
  email: string;
  subject: string;
  message: string;
  topic: string;
  status: ContactStatus;
  /** When the status last changed, from which deletion is counted. */
  status_at: Date;
  /** The admin who takes care of it. */
  assignee_id: string | null;
  proof: ContactProof;
  spam_reason: SpamReason | null;
  /** The sender's /24 or /48 in CIDR notation; null if unknown. */
  network: string | null;
  created_at: Date;
  updated_at: Date;
  /** When a notice about it was sent to admins. */
  noticed_at: Date | null;
}

type AuthorKind = 'user' | 'api_key';

/** Answers that were sent by email. */
export interface ContactRepliesTable {
  id: string;
  message_id: string;
  author_kind: AuthorKind;
  author_id: string;
  text: string;
  /** The id in the delivery log; null until the email is queued. */
  delivery_id: string | null;
  created_at: Date;
}

/** Notes that only admins see. */
export interface ContactNotesTable {
  id: string;
  message_id: string;
  author_kind: AuthorKind;
  author_id: string;
  text: string;
  created_at: Date;
}

/** Texts that admins insert into answers. */
interface ContactSavedRepliesTable {
  id: string;
  name: string;
  text: string;
  created_at: Date;
  updated_at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    contact_messages: ContactMessagesTable;
    contact_replies: ContactRepliesTable;
    contact_notes: ContactNotesTable;
    contact_saved_replies: ContactSavedRepliesTable;
  }
}
