import { sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { createTableService, viewFromRow } from '../../platform/resource/table-service.ts';
import type { Audit } from '../audit/service.ts';
import type { User } from '../identity/users/model.ts';
import { contactErrors } from './errors.ts';
import { contactMessageResource, savedReplyResource } from './resource.ts';
import { ContactMessageView, SavedReplyView, type UpdateContactMessageBody } from './schemas.ts';

export interface ContactAdminOptions {
  db: Database;
  clock: Clock;
  keys: Keys;
  audit: Pick<Audit, 'recordIn'>;
  findUser: (id: string) => Promise<User | undefined>;
}

/** A row of the table as the API shows it. */
export const toMessageView = (row: Readonly<Record<string, unknown>>): ContactMessageView =>
  ContactMessageView.parse(viewFromRow(contactMessageResource, row));

/** The messages as a resource: list, change, assign and delete them. */
export function createMessageService(options: ContactAdminOptions) {
  const { clock, findUser } = options;
  const table = createTableService(contactMessageResource, {
    ...options,
    table: 'contact_messages',
    kind: 'contact_message',
    actions: { updated: 'contact.message_changed', deleted: 'contact.message_deleted' },
    searched: ['name', 'email', 'subject', 'message'],
    filters: { email: (email) => sql<boolean>`fold_case(email) = fold_case(${email})` },
    toView: toMessageView,
    toChanges: (changes) =>
      changes.status === undefined
        ? changes
        : { ...changes, status_at: new Date(clock.now()).toISOString() },
  });

  async function requireAdmin(id: string): Promise<void> {
    const user = await findUser(id);
    if (user === undefined || user.disabledAt !== null || !user.roles.includes('admin'))
      throw contactErrors.assignee_invalid();
  }

  return {
    list: table.list,
    get: table.get,
    delete: table.delete,
    /** Throws `contact.not_found`, `contact.assignee_invalid`. */
    async update(
      id: string,
      changes: UpdateContactMessageBody,
      by: Parameters<typeof table.update>[2],
    ): Promise<ContactMessageView> {
      if (changes.assignee_id != null) await requireAdmin(changes.assignee_id);
      return table.update(id, changes, by);
    },
  };
}

/** Saved replies as a resource. */
export const createSavedReplyService = (options: Omit<ContactAdminOptions, 'findUser'>) =>
  createTableService(savedReplyResource, {
    ...options,
    table: 'contact_saved_replies',
    kind: 'contact_saved_reply',
    actions: {
      created: 'contact.saved_reply_created',
      updated: 'contact.saved_reply_changed',
      deleted: 'contact.saved_reply_deleted',
    },
    searched: ['name', 'text'],
    conflicts: { contact_saved_replies_name: contactErrors.saved_reply_name_taken },
    toView: (row) => SavedReplyView.parse(viewFromRow(savedReplyResource, row)),
  });
