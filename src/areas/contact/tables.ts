import type { Rows } from '../../platform/database/create-tables.ts';
import type { contactTables } from './migrations/0013-contact.ts';
import type { SpamReason } from './statuses.ts';

interface Author {
  author_kind: 'user' | 'api_key';
}

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<
    typeof contactTables,
    {
      contact_messages: { spam_reason: SpamReason | null };
      contact_replies: Author;
      contact_notes: Author;
    }
  > {}
}
