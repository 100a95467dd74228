import { sql } from 'kysely';
import { defineResource } from '../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../platform/resource/table-service.ts';
import type { ContactParts } from './compose.ts';
import { contactErrors } from './errors.ts';
import {
  ContactMessageView,
  messageFilters,
  SavedReplyBody,
  SavedReplyView,
  UpdateContactMessageBody,
  UpdateSavedReplyBody,
} from './schemas.ts';
import { texts } from './texts/en.ts';

/** Messages from the contact form, for admins. */
export const contactMessageResource = defineResource({
  name: 'contactMessages',
  type: 'ContactMessage',
  path: '/api/v1/contact/messages',
  tag: 'contact',
  scope: 'admin',
  view: ContactMessageView,
  update: UpdateContactMessageBody,
  filters: messageFilters,
  sorts: ['-created_at', '-updated_at'],
  searches: 'name, address, subject and message',
  notFound: 'contact.not_found',
  errors: { update: ['contact.assignee_invalid'] },
  consolePage: 'contact',
  texts: texts.messages,
});

/** Texts that admins insert into replies. */
export const savedReplyResource = defineResource({
  name: 'savedReplies',
  type: 'SavedReply',
  path: '/api/v1/contact/saved-replies',
  tag: 'contact',
  scope: 'admin',
  view: SavedReplyView,
  create: SavedReplyBody,
  update: UpdateSavedReplyBody,
  sorts: ['name', '-created_at'],
  searches: 'name and text',
  notFound: 'contact.saved_reply_not_found',
  errors: {
    create: ['contact.saved_reply_name_taken'],
    update: ['contact.saved_reply_name_taken'],
  },
  columns: ['name', 'text', 'updated_at'],
  isReadInFull: true,
  consoleList: 'contact/saved-replies',
  texts: texts.savedReplies,
});

/** A row of the table as the API shows it. */
export const toMessageView = (row: Readonly<Record<string, unknown>>): ContactMessageView =>
  ContactMessageView.parse(viewFromRow(contactMessageResource, row));

/** Lists, changes, assigns and deletes messages. */
export function createInbox({ db, clock, keys, audit, findUser }: ContactParts) {
  const table = createTableService(contactMessageResource, {
    db,
    clock,
    keys,
    audit,
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
  return { list: table.list, get: table.get, update, delete: table.delete };

  /** Throws `contact.not_found`, `contact.assignee_invalid`. */
  async function update(
    id: string,
    changes: UpdateContactMessageBody,
    by: Parameters<typeof table.update>[2],
  ): Promise<ContactMessageView> {
    const { assignee_id: assignee } = changes;
    const user = assignee == null ? undefined : await findUser(assignee);
    const isAdmin = user?.disabledAt === null && user.roles.includes('admin');
    if (assignee != null && !isAdmin) throw contactErrors.assignee_invalid();
    return table.update(id, changes, by);
  }
}

/** Lists, creates, changes and deletes saved replies. */
export const createSavedReplies = ({ db, clock, keys, audit }: ContactParts) =>
  createTableService(savedReplyResource, {
    db,
    clock,
    keys,
    audit,
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
