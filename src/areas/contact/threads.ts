import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AppError } from '../../platform/errors/errors.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Audit } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import { contactErrors } from './errors.ts';
import type { ContactLimits } from './limits.ts';
import { toMessageView } from './messages.ts';
import type {
  ContactNoteView,
  ContactReplyView,
  ContactThread,
  NoteBody,
  ReplyBody,
} from './schemas.ts';
import { authorOf, type Replies } from './replies.ts';
import type { ContactMessage, ContactNote, ContactReply, ContactStore } from './store.ts';

export interface ThreadsOptions {
  db: Database;
  store: ContactStore;
  messages: Pick<Messages, 'statesOf'>;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  replies: Pick<Replies, 'send'>;
  limits: Pick<ContactLimits, 'ofReply'>;
}

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

/** Creates the function that stores a note. */
const createNotes =
  ({ db, store, audit, clock }: ThreadsOptions) =>
  async (id: string, { text }: NoteBody, by: RequestActor): Promise<ContactNoteView> => {
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
  };

function tooManyReplies(ms: number): AppError {
  const seconds = Math.ceil(ms / 1000);
  return contactErrors.too_many_replies({
    headers: { 'retry-after': String(seconds) },
    extra: { retry_after: seconds },
  });
}

/** Messages with their replies and notes, for admins. */
export function createThreads(options: ThreadsOptions) {
  const { store, messages, replies: sending, limits } = options;
  const addNote = createNotes(options);

  async function find(id: string): Promise<ContactMessage> {
    const message = await store.find(id);
    if (message === undefined) throw contactErrors.not_found();
    return message;
  }

  async function viewsOf(replies: readonly ContactReply[]): Promise<ContactReplyView[]> {
    const ids = replies.flatMap(({ delivery_id: id }) => id ?? []);
    const states = await messages.statesOf(ids);
    return replies.map((reply) => replyView(reply, states));
  }

  return {
    /** Throws `contact.not_found`. */
    async get(id: string): Promise<ContactThread> {
      const [message, replies, notes] = await Promise.all([
        find(id),
        store.replies(id),
        store.notes(id),
      ]);
      return {
        message: toMessageView({ ...message }),
        replies: await viewsOf(replies),
        notes: notes.map(noteView),
      };
    },

    /**
     * Sends a reply by email. The message is replied or closed then. Throws `contact.not_found`,
     * `contact.too_many_replies`, `comms.not_configured`, `comms.recipient_invalid`, and
     * `request.unavailable` without Redis.
     */
    async reply(id: string, body: ReplyBody, by: RequestActor): Promise<ContactReplyView> {
      const message = await find(id);
      const waitMs = await limits.ofReply(message.email, by.actor.id ?? by.actor.kind);
      if (waitMs > 0) throw tooManyReplies(waitMs);
      const reply = await sending.send(message, body, by);
      return replyView(reply, new Map([[reply.delivery_id, 'queued']]));
    },

    /** Throws `contact.not_found`. */
    async addNote(id: string, body: NoteBody, by: RequestActor): Promise<ContactNoteView> {
      await find(id);
      return addNote(id, body, by);
    },

    countByStatus: () => store.countByStatus(),
  };
}

export type ContactThreads = ReturnType<typeof createThreads>;
