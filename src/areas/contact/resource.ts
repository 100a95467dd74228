import { defineResource } from '../../platform/resource/resource.ts';
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
  texts: texts.savedReplies,
});
