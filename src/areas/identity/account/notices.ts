import { dayMs } from '../../../lib/durations.ts';
import { accountPath } from '../../../lib/site-paths.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { AccountResources } from './context.ts';
import { texts } from './texts/en.ts';

/** Where to reach a user: the address first, and else the number. */
export interface Recipient {
  kind: 'email' | 'phone';
  value: string;
}

export interface NoticeText {
  headline: string;
  body: string;
  /** True when whoever gets the message can't open the account: it has no link to it. */
  isForOutsider?: boolean;
  /** Another link than the one to the account page. Text messages have it, too. */
  link?: { label: string; url: string };
}

/** The address that a user's messages go to, or else the number. */
export function recipientOf(
  identities: readonly { kind: string; value: string }[],
): Recipient | undefined {
  for (const kind of ['email', 'phone'] as const) {
    const found = identities.find((identity) => identity.kind === kind);
    if (found !== undefined) return { kind, value: found.value };
  }
  return undefined;
}

/** What a message is about, by its key: `deletion-canceled:…`. */
const aboutOf = (key: string): string => key.split(':', 1).join().replaceAll('-', '_');

/** Messages about a user's own account. They link to the account page. */
export function createAccountNotices({ messages, clock, logger, baseUrl }: AccountResources) {
  function linkPart(isForOutsider: boolean, link: NoticeText['link']) {
    if (link !== undefined) return { link, hasLinkInSms: true };
    if (isForOutsider) return {};
    return { link: { label: texts.openAccount, url: `${baseUrl}${accountPath}` } };
  }

  const send = (
    { kind, value }: Recipient,
    { headline, body, isForOutsider = false, link }: NoticeText,
    key: string,
  ) =>
    messages.send({
      channel: kind === 'email' ? 'email' : 'sms',
      to: value,
      template: 'account_notice',
      params: {
        headline,
        body,
        ...linkPart(isForOutsider, link),
      },
      about: aboutOf(key),
      key,
      expiresAt: clock.now() + dayMs,
    });

  return {
    /**
     * Queues a message. `key`: only one is sent for each; it begins with what it is about. Throws
     * the errors of `messages.send`.
     */
    send,

    /** Like `send`, but a message that can't be queued is logged: what it tells has happened. */
    async trySend(to: Recipient | undefined, text: NoticeText, key: string): Promise<void> {
      if (to === undefined) return;
      await send(to, text, key).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'comms.not_configured'))
          logger.warn({ err: error }, 'a notice about an account could not be queued');
      });
    },
  };
}

export type AccountNotices = ReturnType<typeof createAccountNotices>;
