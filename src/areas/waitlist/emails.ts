import { formatSignedId, type SignedId } from '../../lib/secrets/signed-ids.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Messages } from '../comms/service.ts';
import type { WaitlistTokens } from './tokens.ts';

/** How long a link that verifies an address works. */
export const linkHours = 24;

export interface Recipient {
  id: string;
  email: string;
}

/**
 * The messages of the waitlist. None contains entered text, so that the form can't be
 * used to send messages to others. Each has a link to leave the list.
 */
export function createWaitlistEmails(
  { brand, clock, baseOrigin }: Resources,
  messages: Messages,
  tokens: WaitlistTokens,
) {
  const urlOf = (path: string) => new URL(path, baseOrigin).href;
  function common(id: string) {
    const { legalName, legalAddress, contactEmail } = brand();
    return {
      unsubscribe: urlOf(`/waitlist/leave?token=${tokens.leave.of(id)}`),
      sender: [legalName, legalAddress, contactEmail].filter(Boolean).join(', '),
    };
  }

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
        params: { ...common(id), url: urlOf('/signup') },
        key: `waitlist-invitation:${id}:${at}`,
        expiresAt: clock.now() + dayMs,
      }),
  };
}

export type WaitlistEmails = ReturnType<typeof createWaitlistEmails>;
