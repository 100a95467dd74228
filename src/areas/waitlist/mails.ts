import { formatSignedId, type SignedId } from '../../lib/secrets/signed-ids.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Messages } from '../comms/service.ts';
import type { WaitlistTokens } from './tokens.ts';

/** How long a link that verifies an address works. */
export const linkHours = 24;

export interface MailsOptions {
  messages: Pick<Messages, 'send'>;
  tokens: WaitlistTokens;
  clock: Clock;
  /** The public origin of the service. */
  baseOrigin: string;
  /** Name and address of the operator. */
  sender: string;
  /** Where approved people sign up. */
  signUpUrl: string;
}

export interface Recipient {
  id: string;
  email: string;
}

/**
 * The messages of the waitlist. None contains text that somebody entered, so that the form can't be
 * used to send messages to others. Each has a link to leave the list.
 */
export function createWaitlistMails(options: MailsOptions) {
  const { messages, tokens, clock, baseOrigin, sender, signUpUrl } = options;
  const urlOf = (path: string) => new URL(path, baseOrigin).href;
  const common = (id: string) => ({
    unsubscribe: urlOf(`/waitlist/leave?token=${tokens.leaving.of(id)}`),
    sender,
  });

  return {
    /** Asks to verify the address. */
    sendLink: ({ id, email }: Recipient, token: SignedId, askedAt: number) =>
      messages.send({
        channel: 'email',
        to: email,
        template: 'waitlist_confirm',
        params: {
          ...common(id),
          url: urlOf(`/waitlist/verify?token=${formatSignedId(token)}`),
          hours: String(linkHours),
        },
        key: `waitlist-confirm:${id}:${askedAt}`,
        expiresAt: askedAt + hourMs,
      }),

    /** Leads to the person's own entry. The token is in the fragment, which is never sent. */
    sendPlace: ({ id, email }: Recipient, askedAt: number) =>
      messages.send({
        channel: 'email',
        to: email,
        template: 'waitlist_place',
        params: { ...common(id), url: urlOf(`/waitlist/status#${tokens.status.of(id)}`) },
        key: `waitlist-place:${id}:${askedAt}`,
        expiresAt: askedAt + hourMs,
      }),

    /** Invites an approved person. `at`: when they were approved or asked again. */
    sendInvitation: ({ id, email }: Recipient, at: number) =>
      messages.send({
        channel: 'email',
        to: email,
        template: 'waitlist_invitation',
        params: { ...common(id), url: signUpUrl },
        key: `waitlist-invitation:${id}:${at}`,
        expiresAt: clock.now() + dayMs,
      }),
  };
}

export type WaitlistMails = ReturnType<typeof createWaitlistMails>;
