import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import type { LoggedDelivery } from '../../../../areas/comms/store.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { dayMs } from '../../../../lib/durations.ts';
import type { Tone } from '../../../../platform/ui/components/badge.tsx';
import type { ConsoleServices } from '../../context.ts';
import { texts } from '../texts/en.ts';
import { readListedUser } from './user-view.ts';

const words = texts.user.messages;

/** A message to a person, or what happened to a code, in words. */
export interface SentMessage {
  /** Unix ms. */
  at: number;
  what: string;
  channel: 'email' | 'sms';
  /** The address or number. */
  to: string;
  tone: Tone;
  outcome: string;
  /** Why it was not sent or not accepted, and what helps. */
  why: string | undefined;
}

export interface UserMessagesView {
  user: ListedUser;
  /** Newest first. */
  messages: readonly SentMessage[];
}

const maxMessages = 50;
/** As the page says. The audit log keeps what happened to codes for longer. */
const shownDays = 30;

/** Words by name; undefined for other names, also for those that every object has. */
const wordFor = (
  all: Readonly<Record<string, string>>,
  name: string | null | undefined,
): string | undefined => (name != null && Object.hasOwn(all, name) ? all[name] : undefined);

/** Why a message was not delivered, by the code of the provider, such as `smtp_550`. */
function failureOf(code: string | null): string {
  const [kind = '', number = ''] = (code ?? '').split('_');
  const { failures } = words;
  if (kind === 'smtp') return number.startsWith('5') ? failures.refused : failures.busy;
  if (kind === 'http') return number.startsWith('4') ? failures.rejected : failures.down;
  return wordFor(failures, code) ?? failures.other;
}

const outcomes = {
  queued: { tone: 'neutral', outcome: words.outcomes.queued },
  sent: { tone: 'ok', outcome: words.outcomes.sent },
  failed: { tone: 'bad', outcome: words.outcomes.failed },
  expired: { tone: 'warn', outcome: words.outcomes.expired },
} as const;

function toMessage(delivery: LoggedDelivery, to: string): SentMessage {
  const { channel, template, status, errorCode, isKept, createdAt } = delivery;
  const whys = {
    queued: errorCode === null ? undefined : words.whys.retried,
    sent: isKept ? words.whys.kept : undefined,
    failed: failureOf(errorCode),
    expired: words.whys.expired,
  };
  return {
    at: createdAt.getTime(),
    what:
      wordFor(words.templates, template) ??
      wordFor(words.templates, template.split('.', 1).join()) ??
      words.templates.other,
    channel,
    to,
    ...outcomes[status],
    why: whys[status],
  };
}

const codeTones: Readonly<Record<string, Tone>> = {
  'otp.refused': 'bad',
  'otp.verified': 'ok',
  'otp.failed': 'warn',
  'otp.locked': 'bad',
  'otp.closed': 'bad',
  'otp.reopened': 'ok',
};

/** What happened to a code. Undefined for what the log of messages tells already. */
function toCodeEvent(
  { at, action, reason }: AuditEventView,
  channel: SentMessage['channel'],
  to: string,
): SentMessage | undefined {
  const outcome = wordFor(words.codes, action);
  if (outcome === undefined) return undefined;
  return {
    at: Date.parse(at),
    what: words.templates.sign_in_code,
    channel,
    to,
    tone: codeTones[action] ?? 'neutral',
    outcome,
    why: wordFor(words.reasons, reason) ?? wordFor(words.codeWhys, action),
  };
}

/** Reads what was sent to a user, and what happened to codes. Throws `users.not_found`. */
export async function readUserMessages(
  services: ConsoleServices & { clock: Clock },
  id: string,
  signal: AbortSignal,
): Promise<UserMessagesView> {
  const { messages, otp, audit } = services;
  const user = await readListedUser(services, id);
  const ways = user.identities.flatMap(({ kind, key, value }) =>
    kind === 'idp' ? [] : [{ kind, key, value }],
  );
  const named = new Map(
    ways.flatMap(({ key, value }) =>
      [key, value].map((to) => [messages.recipientHash(to), value] as const),
    ),
  );
  const recipients = [...new Set(ways.flatMap(({ key, value }) => [key, value]))];
  const [deliveries, ...events] = await Promise.all([
    messages.listTo(recipients, maxMessages, signal),
    ...ways.map(async (way) => {
      const query = { target_id: otp.hashOf(way), action: 'otp.*', limit: maxMessages };
      const { data } = await audit.list(query, signal);
      const channel = way.kind === 'email' ? 'email' : 'sms';
      return data.flatMap((event) => toCodeEvent(event, channel, way.value) ?? []);
    }),
  ]);
  const sent = deliveries.map((each) => toMessage(each, named.get(each.toHash) ?? ''));
  const all = [...sent, ...events.flat()].sort((a, b) => b.at - a.at);
  const since = services.clock.now() - shownDays * dayMs;
  return { user, messages: all.filter(({ at }) => at >= since).slice(0, maxMessages) };
}

/** Reads what was sent to an address that need not belong to a user, newest first. */
export async function readMailsTo(
  { messages }: Pick<ConsoleServices, 'messages'>,
  email: string,
  signal: AbortSignal,
): Promise<SentMessage[]> {
  const deliveries = await messages.listTo([email], maxMessages, signal);
  return deliveries.map((each) => toMessage(each, email));
}
