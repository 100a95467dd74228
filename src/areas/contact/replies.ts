import { dayMs, minuteMs } from '../../lib/durations.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import { withoutLinks } from '../../lib/text/without-links.ts';
import type { RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../audit/service.ts';
import type { ContactParts } from './compose.ts';
import type { ReplyBody } from './schemas.ts';
import type { ContactMessage, ContactReply } from './store.ts';
import { texts } from './texts/en.ts';

const maxReferences = 20;
const quoteLength = 1000;
const replyLifetimeMs = dayMs;

/** What email clients put before the subject of a reply, also in German and Scandinavian ones. */
const replyPrefixes = /^(?:\s*(?:re|aw|antw|sv)(?:\s*\[\d+\]|\^\d+)?\s*:)+\s*/i;

/** The subject without the prefixes of earlier replies: one is enough (RFC 5322 §3.6.5). */
const baseSubject = (subject: string): string => subject.replace(replyPrefixes, '');

/** `Name <address>` or only an address. */
const addressIn = (mailFrom: string | undefined): string | undefined =>
  mailFrom === undefined ? undefined : (/<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom);

/** The author of a reply or note. Routes for admins always have one. */
export function authorOf({ actor: { kind, id } }: RequestActor) {
  if ((kind !== 'user' && kind !== 'api_key') || id === undefined)
    throw new TypeError('only users and API keys write replies');
  return { author_kind: kind, author_id: id };
}

/** How old a reply without a delivery is when the process that stored it must have died. */
const abandonedMs = minuteMs;

/** Stores replies, and sends each of them once by email. */
export function createReplies({
  config,
  brand,
  db,
  clock,
  baseOrigin,
  store,
  messages,
  audit,
}: ContactParts) {
  const host = new URL(baseOrigin).hostname;

  return { send, sendUnsent, answersTo };

  /** Throws the errors of `messages.send`, and stores nothing then. */
  async function send(
    message: ContactMessage,
    body: ReplyBody,
    by: RequestActor,
  ): Promise<ContactReply> {
    messages.check({ channel: 'email', to: message.email });
    const reply = await add(message, body, by);
    const delivery = await queue(message, reply).catch(async (error: unknown) => {
      await withdraw(message, reply);
      throw error;
    });
    await setDelivery(reply, delivery, by);
    return { ...reply, delivery_id: delivery };
  }

  /** Sends the replies of processes that died between storing and queueing them. */
  async function sendUnsent(): Promise<void> {
    const before = new Date(clock.now() - abandonedMs);
    for (const reply of await store.unsentReplies(before)) {
      const message = await store.find(reply.message_id);
      if (message === undefined) continue;
      const delivery = await queue(message, reply);
      const actor = { kind: reply.author_kind, id: reply.author_id };
      await setDelivery(reply, delivery, { actor });
    }
  }

  /** Stores a reply and the status that it leads to. */
  async function add(
    message: ContactMessage,
    { text, close = false }: ReplyBody,
    by: RequestActor,
  ): Promise<ContactReply> {
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
  }

  /** Queues the email of a reply, and returns the id of its delivery. */
  async function queue(message: ContactMessage, reply: ContactReply): Promise<string> {
    const { id } = await messages.send({
      channel: 'email',
      to: message.email,
      template: 'contact_reply',
      params: { subject: subjectOf(message), body: reply.text, quote: quoteOf(message) },
      key: `contact-reply:${reply.id}`,
      expiresAt: clock.now() + replyLifetimeMs,
      thread: {
        ...(await threadHeaders(reply)),
        ...withReplyTo(),
      },
    });
    return id;
  }

  /** The mailbox for answers to our replies. Undefined: the sender's address. */
  function answersTo(): string | undefined {
    return brand().contactEmail ?? addressIn(config.MAIL_FROM);
  }

  function withReplyTo(): { replyTo?: string } {
    const replyTo = answersTo();
    return replyTo === undefined ? {} : { replyTo };
  }

  function subjectOf(message: ContactMessage): string {
    const subject = baseSubject(message.subject);
    return subject === ''
      ? texts.reply.subjectWithout({ app: brand().name })
      : texts.reply.subject({ subject });
  }

  function quoteOf({ message }: ContactMessage): string {
    const quote = message.slice(0, quoteLength).toWellFormed();
    const cut = quote.length < message.length ? `${quote.trimEnd()}…` : quote;
    return withoutLinks(cut, texts.linkRemoved);
  }

  /**
   * Message ids (RFC 5322 §3.6.4) that name the thread, so that answers can be found again. The
   * visitor's message, which was no email, has an id of its own.
   */
  async function threadHeaders({ id, message_id: thread }: ContactReply) {
    const idOf = (each: string): string => `<contact/${thread}/messages/${each}@${host}>`;
    const ids = (await store.replies(thread)).map((each) => each.id);
    const earlier = ids.slice(0, ids.indexOf(id)).map(idOf);
    const first = idOf(thread);
    return {
      messageId: idOf(id),
      inReplyTo: earlier.at(-1) ?? first,
      references: [first, ...earlier.slice(-(maxReferences - 1))],
    };
  }

  /** Nothing was sent: the admin can try again without a second copy. */
  function withdraw(message: ContactMessage, { id }: ContactReply): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      if (await store.removeUnsent(transaction, id)) await store.restore(transaction, message);
    });
  }

  /** Notes the delivery. Of several calls for one reply, only the first adds to the audit log. */
  function setDelivery(reply: ContactReply, delivery: string, by: AuditActor): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      if (!(await store.setDelivery(transaction, reply.id, delivery))) return;
      const target = { kind: 'contact_message', id: reply.message_id };
      await audit.recordIn(transaction, [{ ...by, action: 'contact.replied', target }]);
    });
  }
}

export type Replies = ReturnType<typeof createReplies>;
