import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import { withoutLinks } from '../../lib/text/without-links.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Audit } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import { contactErrors } from './errors.ts';
import { toMessageView } from './messages.ts';
import type {
  ContactNoteView,
  ContactReplyView,
  ContactThread,
  NoteBody,
  ReplyBody,
} from './schemas.ts';
import type { ContactMessage, ContactNote, ContactReply, ContactStore } from './store.ts';
import { texts } from './texts/en.ts';

export interface ThreadsOptions {
  db: Database;
  store: ContactStore;
  messages: Pick<Messages, 'check' | 'send' | 'statesOf'>;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  baseOrigin: string;
  /** The mailbox for answers to our replies. Unset: the sender's address. */
  replyTo: string | undefined;
  appName: string;
}

const maxReferences = 20;
const quoteLength = 1000;
const replyLifetimeMs = dayMs;

/** Message ids (RFC 5322 §3.6.4) that name the thread, so that answers can be found again. */
function createMessageIds(baseOrigin: string) {
  const host = new URL(baseOrigin).hostname;
  return (threadId: string, id: string): string => `<contact/${threadId}/messages/${id}@${host}>`;
}

/** The headers of a reply. The visitor's message, which was no email, has an id of its own. */
function threadHeaders(
  idOf: ReturnType<typeof createMessageIds>,
  { id, earlier, replyId }: { id: string; earlier: readonly string[]; replyId: string },
) {
  const first = idOf(id, id);
  const sent = earlier.map((each) => idOf(id, each));
  return {
    messageId: idOf(id, replyId),
    inReplyTo: sent.at(-1) ?? first,
    references: [first, ...sent.slice(-(maxReferences - 1))],
  };
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

/** The author of a reply or note. Routes for admins always have one. */
function authorOf({ actor: { kind, id } }: RequestActor) {
  if ((kind !== 'user' && kind !== 'api_key') || id === undefined)
    throw new TypeError('only users and API keys write replies');
  return { author_kind: kind, author_id: id };
}

/** Creates the function that stores a reply and the status that it leads to. */
const createRecording =
  ({ db, store, clock }: ThreadsOptions) =>
  async (
    message: ContactMessage,
    { text, close = false }: ReplyBody,
    by: RequestActor,
  ): Promise<ContactReply> => {
    const now = clock.now();
    const at = new Date(now);
    const reply: ContactReply = {
      id: uuidv7(now),
      message_id: message.id,
      ...authorOf(by),
      text: storableText(text),
      delivery_id: null,
      created_at: at,
    };
    await db.transaction().execute(async (transaction) => {
      await store.addReply(transaction, reply);
      await store.setStatus(transaction, message.id, { status: close ? 'closed' : 'replied', at });
    });
    return reply;
  };

/** Creates the function that queues the email of a reply, and returns the id of its delivery. */
function createQueueing({ messages, clock, baseOrigin, replyTo, appName }: ThreadsOptions) {
  const idOf = createMessageIds(baseOrigin);
  const subjectOf = ({ subject }: ContactMessage): string =>
    subject === ''
      ? texts.reply.subjectWithout({ app: appName })
      : texts.reply.subject({ subject });
  const quoteOf = ({ message }: ContactMessage): string => {
    const quote = message.slice(0, quoteLength).toWellFormed();
    const cut = quote.length < message.length ? `${quote.trimEnd()}…` : quote;
    return withoutLinks(cut, texts.linkRemoved);
  };

  return async (
    message: ContactMessage,
    reply: ContactReply,
    earlier: readonly string[],
  ): Promise<string> => {
    const { id } = await messages.send({
      channel: 'email',
      to: message.email,
      template: 'contact_reply',
      params: { subject: subjectOf(message), body: reply.text, quote: quoteOf(message) },
      key: `contact-reply:${reply.id}`,
      expiresAt: clock.now() + replyLifetimeMs,
      thread: {
        ...threadHeaders(idOf, { id: message.id, earlier, replyId: reply.id }),
        ...(replyTo === undefined ? {} : { replyTo }),
      },
    });
    return id;
  };
}

function createReplies(options: ThreadsOptions) {
  const { db, store, messages, audit } = options;
  const record = createRecording(options);
  const queue = createQueueing(options);

  /** Nothing was sent: the admin can try again without a second copy. */
  const withdraw = (message: ContactMessage, { id }: ContactReply): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      await store.removeReply(transaction, id);
      await store.restore(transaction, message);
    });

  return async (
    message: ContactMessage,
    body: ReplyBody,
    by: RequestActor,
  ): Promise<ContactReply> => {
    messages.check({ channel: 'email', to: message.email });
    const earlier = (await store.replies(message.id)).map(({ id }) => id);
    const reply = await record(message, body, by);
    const delivery = await queue(message, reply, earlier).catch(async (error: unknown) => {
      await withdraw(message, reply);
      throw error;
    });
    await db.transaction().execute(async (transaction) => {
      await store.setDelivery(transaction, reply.id, delivery);
      const target = { kind: 'contact_message', id: message.id };
      await audit.recordIn(transaction, [{ ...by, action: 'contact.replied', target }]);
    });
    return { ...reply, delivery_id: delivery };
  };
}

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

/** Messages with their replies and notes, for admins. */
export function createThreads(options: ThreadsOptions) {
  const { store, messages } = options;
  const sendReply = createReplies(options);
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
     * `comms.not_configured`, `comms.recipient_invalid`, and `request.unavailable` without Redis.
     */
    async reply(id: string, body: ReplyBody, by: RequestActor): Promise<ContactReplyView> {
      const reply = await sendReply(await find(id), body, by);
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
