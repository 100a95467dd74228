import { z } from 'zod';
import { escapeHtml } from '../../lib/text/html.ts';
import type { Channel, Rendered } from './provider.ts';

type Content = Pick<Rendered, 'subject' | 'text' | 'html' | 'unsubscribe'>;
type Params = Readonly<Record<string, string>>;

/** A message before a channel is chosen. */
interface Draft {
  sms: string;
  subject: string;
  paragraphs: Paragraph[];
  /** Shown large, after the first paragraph. */
  code?: string;
  /** For messages to lists: URL for unsubscribing by POST. */
  unsubscribe?: string;
}

/** Plain text, or a link. */
type Paragraph = string | { text: string; url: string };

// No line breaks: they could start a mail header, or become the last line of an SMS.
const line = z
  .string()
  .min(1)
  .max(500)
  .transform((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());

const SignInCode = z.object({
  code: z.string().regex(/^[0-9A-Za-z]{4,12}$/),
  minutes: z.string().regex(/^\d{1,4}$/),
  host: z.string().regex(/^[A-Za-z0-9.:[\]-]{1,253}$/),
});
// Lines and blank lines between paragraphs, but no other control characters.
const block = z
  .string()
  .min(1)
  .max(20_000)
  .transform((text) =>
    text
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n]+/gu, ' ')
      .trim(),
  );
const address = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .regex(/^[^\s<>"]+$/);
const StatusConfirm = z.object({ url: address, hours: z.string().regex(/^\d{1,3}$/) });
const StatusUpdate = z.object({
  name: line,
  phase: line,
  components: z.string().max(2000),
  body: block,
  url: address,
  unsubscribe: address,
});

const AnalyticsReport = z.object({
  kind: line,
  site: line,
  days: line,
  timezone: line,
  before: line,
  body: block,
  url: address.optional(),
  unsubscribe: address,
});

const SignupConfirm = z.object({ url: address, hours: z.string().regex(/^\d{1,3}$/) });

const AccountNotice = z.object({ headline: line, body: line });

/** The last line of the SMS makes the code origin-bound (WICG): valid for that host only. */
function signInCode(params: Params, app: string): Draft {
  const { code, minutes, host } = SignInCode.parse(params);
  return {
    sms: `${app} code: ${code}. Do not share it.\n@${host} #${code}`,
    subject: `Your ${app} sign-in code`,
    code,
    paragraphs: [
      `Your ${app} sign-in code:`,
      `It works once, within ${minutes} minutes, on ${host}. Do not share it: nobody of ${app} \
will ask you for it.`,
      'If you did not ask for a code, you can ignore this message.',
    ],
  };
}

function accountNotice(params: Params, app: string): Draft {
  const { headline, body } = AccountNotice.parse(params);
  return {
    sms: `${app}: ${headline}. ${body}`,
    subject: `${app}: ${headline}`,
    paragraphs: [
      headline,
      body,
      `${app} sends this message when something about the security of your account changes.`,
    ],
  };
}

function statusConfirm(params: Params, app: string): Draft {
  const { url, hours } = StatusConfirm.parse(params);
  return {
    sms: `${app}: confirm that you want status updates: ${url}`,
    subject: `${app} status: confirm your subscription`,
    paragraphs: [
      `Somebody asked ${app} to send updates about incidents and maintenance to this address. If \
it was you, confirm it:`,
      { text: 'Confirm the subscription', url },
      `The link works for ${hours} hours. If it was not you, you can ignore this message: nothing \
more is sent.`,
    ],
  };
}

/** May reach a person who did not request it, so it contains nothing the requester entered. */
function signupConfirm(params: Params, app: string): Draft {
  const { url, hours } = SignupConfirm.parse(params);
  return {
    sms: `${app}: confirm that you want to sign up: ${url}`,
    subject: `${app}: confirm your address`,
    paragraphs: [
      `Somebody wants to sign up for ${app} with this address. If it was you, confirm it:`,
      { text: 'Confirm the address', url },
      `The link works once, for ${hours} hours. If it was not you, you can ignore this message: \
nothing comes of it.`,
    ],
  };
}

/** To subscribers. Says how to unsubscribe, in the text and for mail programs. */
function statusUpdate(params: Params, app: string): Draft {
  const { name, phase, components, body, url, unsubscribe } = StatusUpdate.parse(params);
  const affected =
    components === '' ? [] : [`Affected: ${components.replace(/[\p{Cc}\s]+/gu, ' ')}`];
  return {
    sms: `${app} status: ${name} (${phase}). ${url}`,
    subject: `${app} status: ${name} (${phase})`,
    paragraphs: [
      `${name}: ${phase}`,
      ...affected,
      ...body.split(/\n\s*\n/),
      { text: 'All updates', url },
      {
        text: `You get this because you subscribed to the status of ${app}. Unsubscribe`,
        url: unsubscribe,
      },
    ],
    unsubscribe,
  };
}

/**
 * A recurring message with unsubscribe links, like `statusUpdate`. `url` is only for recipients who
 * can sign in.
 */
function analyticsReport(params: Params, app: string): Draft {
  const { kind, site, days, timezone, before, body, url, unsubscribe } =
    AnalyticsReport.parse(params);
  return {
    sms: [
      `${app}: ${kind.toLowerCase()} of ${site}, ${days}.`,
      ...(url === undefined ? [] : [url]),
    ].join(' '),
    subject: `${app}: ${kind.toLowerCase()} of ${site}, ${days}`,
    paragraphs: [
      `${kind} of ${site}: ${days} (${timezone}). In brackets: the change against ${before}.`,
      ...body.split(/\n\s*\n/),
      ...(url === undefined ? [] : [{ text: 'All figures', url }]),
      {
        text: `You get this because somebody entered your address at ${app}. Unsubscribe`,
        url: unsubscribe,
      },
    ],
    unsubscribe,
  };
}

const drafts = {
  sign_in_code: signInCode,
  account_notice: accountNotice,
  status_confirm: statusConfirm,
  status_update: statusUpdate,
  signup_confirm: signupConfirm,
  analytics_report: analyticsReport,
};

export type TemplateName = keyof typeof drafts;

const toPlainText = (paragraph: Paragraph): string =>
  typeof paragraph === 'string' ? paragraph : `${paragraph.text}:\n${paragraph.url}`;

function toText({ paragraphs: [first = '', ...others], code }: Draft): string {
  const parts = [toPlainText(first), ...(code === undefined ? [] : [code])];
  return `${[...parts, ...others.map(toPlainText)].join('\n\n')}\n`;
}

const toHtmlText = (paragraph: Paragraph): string =>
  typeof paragraph === 'string'
    ? escapeHtml(paragraph).replaceAll('\n', '<br>')
    : `<a href="${escapeHtml(paragraph.url)}">${escapeHtml(paragraph.text)}</a>`;

// Mail programs ignore style sheets, so styles are inline.
function toHtml({ subject, paragraphs: [first = '', ...others], code }: Draft): string {
  const paragraph = (content: Paragraph) => `<p style="margin:0 0 16px">${toHtmlText(content)}</p>`;
  const style = 'margin:0 0 16px;font:700 32px/1.2 monospace;letter-spacing:4px';
  const large = code === undefined ? '' : `<p style="${style}">${escapeHtml(code)}</p>\n`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark">\
<title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif">
${paragraph(first)}
${large}${others.map(paragraph).join('\n')}
</body>
</html>
`;
}

/** Renders a template. Throws a ZodError for missing or malformed parameters. */
export function renderTemplate(
  template: TemplateName,
  channel: Channel,
  params: Params,
  app: string,
): Content {
  const draft = drafts[template](params, app);
  if (channel === 'sms') return { subject: null, text: draft.sms, html: null };
  return {
    subject: draft.subject,
    text: toText(draft),
    html: toHtml(draft),
    ...(draft.unsubscribe === undefined ? {} : { unsubscribe: draft.unsubscribe }),
  };
}
