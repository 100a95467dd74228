import type { Clock } from '../../lib/clock.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import { withoutLinks } from '../../lib/text/without-links.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import type { ReplyBody } from './schemas.ts';
import type { ContactMessage, ContactReply, ContactStore } from './store.ts';
import { texts } from './texts/en.ts';

export interface RepliesOptions {
  db: Database;
  store: ContactStore;
  messages: Pick<Messages, 'check' | 'send'>;
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

/** What mail programs put before the subject of a reply, also in German and Scandinavian ones. */
const replyPrefixes = /^(?:\s*(?:re|aw|antw|sv)(?:\s*\[\d+\]|\^\d+)?\s*:)+\s*/i;

/** The subject without the prefixes of earlier replies: one is enough (RFC 5322 §3.6.5). */
const baseSubject = (subject: string): string => subject.replace(replyPrefixes, '');

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

/** The author of a reply or note. Routes for admins always have one. */
export function authorOf({ actor: { kind, id } }: RequestActor) {
  if ((kind !== 'user' && kind !== 'api_key') || id === undefined)
    throw new TypeError('only users and API keys write replies');
  return { author_kind: kind, author_id: id };
}

/** Creates the function that stores a reply and the status that it leads to. */
const createRecording =
  ({ db, store, clock }: RepliesOptions) =>
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
function createQueueing({ messages, clock, baseOrigin, replyTo, appName }: RepliesOptions) {
  const idOf = createMessageIds(baseOrigin);
  const subjectOf = (message: ContactMessage): string => {
    const subject = baseSubject(message.subject);
    return subject === ''
      ? texts.reply.subjectWithout({ app: appName })
      : texts.reply.subject({ subject });
  };
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

/**
 * Creates the function that notes the delivery of a reply. Of several calls for one reply, only the
 * first one adds to the audit log.
 */
const createFinishing =
  ({ db, store, audit }: RepliesOptions) =>
  (reply: ContactReply, delivery: string, by: AuditActor): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      if (!(await store.setDelivery(transaction, reply.id, delivery))) return;
      const target = { kind: 'contact_message', id: reply.message_id };
      await audit.recordIn(transaction, [{ ...by, action: 'contact.replied', target }]);
    });

/** How old a reply without a delivery is when the process that stored it must have died. */
const abandonedMs = minuteMs;

/** Stores replies, and sends each of them once by email. */
export function createReplies(options: RepliesOptions) {
  const { db, store, messages, clock } = options;
  const record = createRecording(options);
  const queue = createQueueing(options);
  const finish = createFinishing(options);

  const earlierThan = async ({ id, message_id: messageId }: ContactReply): Promise<string[]> => {
    const ids = (await store.replies(messageId)).map((each) => each.id);
    return ids.slice(0, ids.indexOf(id));
  };

  /** Nothing was sent: the admin can try again without a second copy. */
  const withdraw = (message: ContactMessage, { id }: ContactReply): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      if (await store.removeUnsent(transaction, id)) await store.restore(transaction, message);
    });

  async function sendAbandoned(reply: ContactReply): Promise<void> {
    const message = await store.find(reply.message_id);
    if (message === undefined) return;
    const delivery = await queue(message, reply, await earlierThan(reply));
    await finish(reply, delivery, { actor: { kind: reply.author_kind, id: reply.author_id } });
  }

  return {
    /** Throws the errors of `messages.send`, and stores nothing then. */
    async send(message: ContactMessage, body: ReplyBody, by: RequestActor): Promise<ContactReply> {
      messages.check({ channel: 'email', to: message.email });
      const reply = await record(message, body, by);
      const queueing = earlierThan(reply).then((earlier) => queue(message, reply, earlier));
      const delivery = await queueing.catch(async (error: unknown) => {
        await withdraw(message, reply);
        throw error;
      });
      await finish(reply, delivery, by);
      return { ...reply, delivery_id: delivery };
    },

    /** Sends the replies of processes that died between storing and queueing them. */
    async sendUnsent(): Promise<void> {
      const before = new Date(clock.now() - abandonedMs);
      for (const reply of await store.unsentReplies(before)) await sendAbandoned(reply);
    },
  };
}

export type Replies = ReturnType<typeof createReplies>;
