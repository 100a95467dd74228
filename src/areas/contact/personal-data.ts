import { sql } from 'kysely';
import {
  type AreaPersonalData,
  deletedUser,
  isAddressOf,
  isMailboxOf,
  isUser,
  personalRows,
} from '../../platform/database/personal-data.ts';

const messages = personalRows({
  table: 'contact_messages',
  title: 'contact_messages',
  about: 'Messages that you sent with the contact form.',
  names: ['name', 'email', 'subject', 'message', 'network'],
  of: (person) => isAddressOf('email', person),
  shows: ['name', 'email', 'subject', 'message', 'topic', 'status', 'network', 'created_at'],
  key: 'id',
  onDeletion: { action: 'delete', of: (person) => isMailboxOf('email', person) },
});

const assigned = personalRows({
  table: 'contact_messages',
  title: 'assigned_messages',
  about: 'Messages from the contact form that are assigned to you.',
  names: ['assignee_id'],
  of: isUser('assignee_id'),
  shows: ['status', 'created_at'],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: { assignee_id: sql`null` },
    keeps: 'The message, assigned to nobody, because it is from someone else.',
  },
});

const replies = personalRows({
  table: 'contact_replies',
  title: 'contact_replies',
  about: 'Replies that you wrote to messages from the contact form.',
  names: ['author_id'],
  of: isUser('author_id'),
  shows: ['text', 'created_at'],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: { author_id: sql`${deletedUser}` },
    keeps: 'The reply, without your name, because it was sent to someone else.',
  },
});

const notes = personalRows({
  table: 'contact_notes',
  title: 'contact_notes',
  about: 'Notes that you wrote on messages from the contact form.',
  names: ['author_id'],
  of: isUser('author_id'),
  shows: ['text', 'created_at'],
  key: 'id',
  onDeletion: {
    action: 'clear',
    set: { author_id: sql`${deletedUser}` },
    keeps: 'The note, without your name, for as long as the message that it is about.',
  },
});

/** Replies and notes of others on a person's message are deleted with it. */
export const contactPersonalData: AreaPersonalData = {
  area: 'contact',
  rows: [assigned, replies, notes, messages],
  namesNobody: { 'contact_saved_replies.name': 'the name of a text' },
};
