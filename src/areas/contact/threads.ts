import { uuidv7 } from '../../lib/ids.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import { retryAfter } from '../../platform/errors/errors.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { ContactParts } from './compose.ts';
import { contactErrors } from './errors.ts';
import { toMessageView } from './resource.ts';
import type {
  ContactNoteView,
  ContactReplyView,
  ContactThread,
  NoteBody,
  ReplyBody,
} from './schemas.ts';
import { authorOf, type Replies } from './replies.ts';
import type { ContactMessage, ContactNote, ContactReply } from './store.ts';

const noteView = ({ created_at: at, ...note }: ContactNote): ContactNoteView => ({
  id: note.id,
  text: note.text,
  author_kind: note.author_kind,
  author_id: note.author_id,
  created_at: at.toISOString(),
});

const replyView = (
  { delivery_id: delivery, ...reply }: ContactReply,
  states: ReadonlyMap<string | null, ContactReplyView['delivery']>,
): ContactReplyView => ({
  ...noteView(reply),
  delivery: states.get(delivery) ?? 'unknown',
});

/** Messages with their replies and notes, for admins. */
export function createThreads(parts: ContactParts, replies: Replies) {
  const { db, clock, store, messages, audit, limits } = parts;
  return { get, reply, addNote, countByStatus: () => store.countByStatus() };

  /** Throws `contact.not_found`. */
  async function get(id: string): Promise<ContactThread> {
    const [message, found, notes] = await Promise.all([
      find(id),
      store.replies(id),
      store.notes(id),
    ]);
    const states = await messages.statesOf(found.flatMap(({ delivery_id }) => delivery_id ?? []));
    return {
      message: toMessageView({ ...message }),
      replies: found.map((each) => replyView(each, states)),
      notes: notes.map(noteView),
    };
  }

  /**
   * Sends a reply by email. The message is replied or closed then. Throws `contact.not_found`,
   * `contact.too_many_replies`, `comms.not_configured`, `comms.recipient_invalid`, and
   * `request.unavailable` without Redis.
   */
  async function reply(id: string, body: ReplyBody, by: RequestActor): Promise<ContactReplyView> {
    const message = await find(id);
    const waitMs = await limits.ofReply(message.email, by.actor.id ?? by.actor.kind);
    if (waitMs > 0) throw contactErrors.too_many_replies(retryAfter(Math.ceil(waitMs / 1000)));
    const sent = await replies.send(message, body, by);
    return replyView(sent, new Map([[sent.delivery_id, 'queued']]));
  }

  /** Throws `contact.not_found`. */
  async function addNote(
    id: string,
    { text }: NoteBody,
    by: RequestActor,
  ): Promise<ContactNoteView> {
    await find(id);
    const now = clock.now();
    const at = new Date(now);
    const note: ContactNote = {
      id: uuidv7(now),
      message_id: id,
      ...authorOf(by),
      text: storableText(text),
      created_at: at,
    };
    await db.transaction().execute(async (transaction) => {
      await store.addNote(transaction, note);
      await store.touch(transaction, id, at);
      const target = { kind: 'contact_message', id };
      await audit.recordIn(transaction, [{ ...by, action: 'contact.note_added', target }]);
    });
    return noteView(note);
  }

  async function find(id: string): Promise<ContactMessage> {
    const message = await store.find(id);
    if (message === undefined) throw contactErrors.not_found();
    return message;
  }
}
