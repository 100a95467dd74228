import type { MailContent } from '../../../platform/ui/mail/content.ts';
import { texts } from '../texts/en.ts';
import type { Checked, TemplateName } from './params.ts';

/** A message before a channel is chosen. */
interface Draft {
  sms: string;
  mail: MailContent;
  /** For messages to lists: URL for unsubscribing by POST. */
  unsubscribe?: string;
}

/** The last line of the SMS makes the code origin-bound (WICG): valid for that host only. */
const oneTimeCode =
  (text: typeof texts.signInCode | typeof texts.contactCode) =>
  (params: Checked<'sign_in_code'>, app: string): Draft => ({
    sms: text.sms({ ...params, app }),
    mail: {
      subject: text.subject({ app }),
      preheader: text.preheader(params),
      title: text.title,
      blocks: [
        { kind: 'text', text: text.lead },
        { kind: 'code', code: params.code },
        { kind: 'text', text: text.terms(params) },
        { kind: 'text', text: text.warning({ app }) },
      ],
      footer: { reason: text.reason },
    },
  });

/** Parameters of messages that ask for a confirmation. */
interface Confirmation {
  url: string;
  hours: string;
}

/**
 * Asks for a confirmation. May reach a person who did not request it, so it contains nothing that
 * the requester entered.
 */
const confirmation =
  (text: typeof texts.signupConfirm | typeof texts.statusConfirm) =>
  ({ url, hours }: Confirmation, app: string): Draft => ({
    sms: text.sms({ app, url }),
    mail: {
      subject: text.subject({ app }),
      preheader: text.preheader({ app, hours }),
      title: text.title,
      blocks: [
        { kind: 'text', text: text.lead({ app }) },
        { kind: 'button', label: text.button, url },
        { kind: 'text', text: text.terms({ hours }) },
      ],
      footer: { reason: text.reason({ app }) },
    },
  });

function invitation(params: Checked<'invitation'>, app: string): Draft {
  const { url, until, inviter, role, note } = params;
  const text = texts.invitation;
  const facts = [
    ...(inviter === undefined ? [] : [{ label: text.inviter, value: inviter }]),
    ...(role === undefined ? [] : [{ label: text.role, value: role }]),
  ];
  return {
    sms: text.sms({ app, url }),
    mail: {
      subject: text.subject({ app }),
      preheader: text.preheader({ app, until }),
      title: text.title({ app }),
      blocks: [
        { kind: 'text', text: text.lead({ app }) },
        ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, facts }]),
        ...(note === undefined ? [] : [{ kind: 'text' as const, text: text.note({ note }) }]),
        { kind: 'button', label: text.button, url },
        { kind: 'text', text: text.terms({ until }) },
      ],
      footer: { reason: text.reason({ app }) },
    },
  };
}

function accountNotice(params: Checked<'account_notice'>, app: string): Draft {
  const { headline, body, facts = [], link, hasLinkInSms = false } = params;
  const text = texts.accountNotice;
  const sms = text.sms({ app, headline, body });
  return {
    sms: link !== undefined && hasLinkInSms ? `${sms} ${link.url}` : sms,
    mail: {
      subject: text.subject({ app, headline }),
      preheader: [body, ...facts.map(({ label, value }) => `${label}: ${value}`)].join(' '),
      title: headline,
      blocks: [
        ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, facts }]),
        { kind: 'text', text: body },
        ...(link === undefined ? [] : [{ kind: 'button' as const, ...link }]),
      ],
      footer: { reason: text.reason({ app }) },
    },
  };
}

/** Shows the look of emails to the admin who asked for it. */
function testMessage({ to, at, url }: Checked<'test_message'>, app: string): Draft {
  const text = texts.testMessage;
  return {
    sms: text.sms({ app }),
    mail: {
      subject: text.subject({ app }),
      preheader: text.preheader,
      title: text.title,
      blocks: [
        { kind: 'text', text: text.lead },
        { kind: 'code', code: '123456' },
        { kind: 'text', text: text.factsLead },
        {
          kind: 'facts',
          facts: [
            { label: text.sentTo, value: to },
            { label: text.sentAt, value: at },
          ],
        },
        { kind: 'button', label: text.button, url },
      ],
      footer: { reason: text.reason({ app }) },
    },
  };
}

/** An answer that an admin has written to a message from the contact form. */
function contactReply({ subject, body, quote }: Checked<'contact_reply'>, app: string): Draft {
  const text = texts.contactReply;
  return {
    sms: text.sms({ app, body }),
    mail: {
      subject,
      preheader: body.replace(/\s+/g, ' '),
      title: subject,
      blocks: [
        { kind: 'text', text: body },
        { kind: 'text', text: text.quote({ quote }) },
      ],
      footer: { reason: text.reason({ app }) },
    },
  };
}

/** Tells admins about new messages. */
function contactNotice(params: Checked<'contact_notice'>, app: string): Draft {
  const { headline, messages, more, url } = params;
  const text = texts.contactNotice;
  return {
    sms: text.sms({ app, headline }),
    mail: {
      subject: text.subject({ app, headline }),
      preheader: text.preheader({ messages }),
      title: headline,
      blocks: [
        { kind: 'facts', facts: messages },
        ...(more === undefined ? [] : [{ kind: 'text' as const, text: more }]),
        { kind: 'text', text: text.caution },
        { kind: 'button', label: text.button, url },
      ],
      footer: { reason: text.reason({ app }) },
    },
  };
}

/** To subscribers. Says how to unsubscribe, in the text and for email clients. */
function statusUpdate(params: Checked<'status_update'>, app: string): Draft {
  const { name, phase, body, url, unsubscribe } = params;
  const components = params.components.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const text = texts.statusUpdate;
  const facts = [
    { label: text.status, value: phase },
    ...(components === '' ? [] : [{ label: text.affected, value: components }]),
  ];
  return {
    sms: text.sms({ app, name, phase, url }),
    mail: {
      subject: text.subject({ app, name, phase }),
      preheader: text.preheader({ phase, components, body: body.replace(/\s+/g, ' ') }),
      title: name,
      blocks: [
        { kind: 'facts', facts },
        // An update without text has the status as its text.
        ...(body === phase ? [] : [{ kind: 'text' as const, text: body }]),
        { kind: 'button', label: text.button, url },
      ],
      footer: {
        reason: text.reason({ app }),
        link: { label: text.unsubscribe, url: unsubscribe },
      },
    },
    unsubscribe,
  };
}

/** A recurring message with unsubscribe links, like `statusUpdate`. */
function analyticsReport(params: Checked<'analytics_report'>, app: string): Draft {
  const { kind, site, headline, preheader, stats, columns, lists, url, unsubscribe } = params;
  const text = texts.analyticsReport;
  return {
    sms: text.sms({ app, kind, site, headline, url: url ?? '' }),
    mail: {
      subject: text.subject({ kind, site, headline }),
      preheader,
      title: headline,
      blocks: [
        { kind: 'text', text: text.lead(params) },
        { kind: 'stats', stats },
        { kind: 'columns', ...columns },
        ...lists.map((list) => ({ kind: 'rows' as const, ...list })),
        ...(url === undefined ? [] : [{ kind: 'button' as const, label: text.button, url }]),
      ],
      footer: {
        reason: text.reason({ app, site }),
        link: { label: text.unsubscribe, url: unsubscribe },
      },
    },
    unsubscribe,
  };
}

/** Parameters of messages about the waitlist. */
interface WaitlistParams {
  url: string;
  unsubscribe: string;
  sender: string;
  hours?: string;
}

/**
 * To people on the waitlist, or to whom someone entered there: nothing in it was entered. Says who
 * sends it and how to leave the list, in the text and for email clients (RFC 8058).
 */
const waitlistMessage =
  (
    text:
      typeof texts.waitlistConfirm | typeof texts.waitlistPlace | typeof texts.waitlistInvitation,
  ) =>
  ({ url, unsubscribe, sender, hours = '' }: WaitlistParams, app: string): Draft => ({
    sms: text.sms({ app, url }),
    mail: {
      subject: text.subject({ app }),
      preheader: text.preheader({ app, hours }),
      title: text.title({ app }),
      blocks: [
        { kind: 'text', text: text.lead({ app }) },
        { kind: 'button', label: text.button, url },
        { kind: 'text', text: typeof text.terms === 'string' ? text.terms : text.terms({ hours }) },
      ],
      footer: {
        reason: text.reason({ app, sender }),
        link: { label: texts.leaveWaitlist, url: unsubscribe },
      },
    },
    unsubscribe,
  });

type Drafts = { [N in TemplateName]: (params: Checked<N>, app: string) => Draft };

export const drafts: Drafts = {
  sign_in_code: oneTimeCode(texts.signInCode),
  contact_code: oneTimeCode(texts.contactCode),
  account_notice: accountNotice,
  test_message: testMessage,
  signup_confirm: confirmation(texts.signupConfirm),
  invitation,
  contact_reply: contactReply,
  contact_notice: contactNotice,
  status_confirm: confirmation(texts.statusConfirm),
  status_update: statusUpdate,
  waitlist_confirm: waitlistMessage(texts.waitlistConfirm),
  waitlist_place: waitlistMessage(texts.waitlistPlace),
  waitlist_invitation: waitlistMessage(texts.waitlistInvitation),
  analytics_report: analyticsReport,
};
