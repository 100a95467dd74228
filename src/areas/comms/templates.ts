import { z } from 'zod';
import { escapeHtml } from '../../lib/html.ts';
import type { Channel, Rendered } from './provider.ts';

type Content = Pick<Rendered, 'subject' | 'text' | 'html'>;
type Params = Readonly<Record<string, string>>;

/** The parts of a message before a channel is chosen. */
interface Draft {
  sms: string;
  subject: string;
  paragraphs: string[];
  /** Shown large, between the first paragraph and the others. */
  code?: string;
}

// No line breaks: they would begin a new header, or another last line of an SMS.
const line = z.string().min(1).max(500).transform((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());

const SignInCode = z.object({
  code: z.string().regex(/^[0-9A-Za-z]{4,12}$/),
  minutes: z.string().regex(/^\d{1,4}$/),
  host: z.string().regex(/^[A-Za-z0-9.:[\]-]{1,253}$/),
});
const AccountNotice = z.object({ headline: line, body: line });

/** The last line of the SMS is an origin-bound one-time code (WICG): browsers offer it on that host alone. */
function signInCode(params: Params, app: string): Draft {
  const { code, minutes, host } = SignInCode.parse(params);
  return {
    sms: `${app} code: ${code}. Do not share it.\n@${host} #${code}`,
    subject: `Your ${app} sign-in code`,
    code,
    paragraphs: [
      `Your ${app} sign-in code:`,
      `It works once, within ${minutes} minutes, on ${host}. Do not share it: nobody of ${app} will ask you for it.`,
      'If you did not ask for a code, you can ignore this message.',
    ],
  };
}

function accountNotice(params: Params, app: string): Draft {
  const { headline, body } = AccountNotice.parse(params);
  return {
    sms: `${app}: ${headline}. ${body}`,
    subject: `${app}: ${headline}`,
    paragraphs: [headline, body, `${app} sends this message when something about the security of your account changes.`],
  };
}

const drafts = { sign_in_code: signInCode, account_notice: accountNotice };

export type TemplateName = keyof typeof drafts;

function toText({ paragraphs: [first = '', ...others], code }: Draft): string {
  return `${[first, ...(code === undefined ? [] : [code]), ...others].join('\n\n')}\n`;
}

// Mail programs ignore style sheets, so styles stand on the elements.
function toHtml({ subject, paragraphs: [first = '', ...others], code }: Draft): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const large = code === undefined ? '' : `<p style="margin:0 0 16px;font:700 32px/1.2 monospace;letter-spacing:4px">${escapeHtml(code)}</p>\n`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif">
${paragraph(first)}
${large}${others.map(paragraph).join('\n')}
</body>
</html>
`;
}

/** Fills in a template. Throws a ZodError when a parameter is missing or malformed: that is the caller's mistake. */
export function renderTemplate(template: TemplateName, channel: Channel, params: Params, app: string): Content {
  const draft = drafts[template](params, app);
  return channel === 'sms' ? { subject: null, text: draft.sms, html: null } : { subject: draft.subject, text: toText(draft), html: toHtml(draft) };
}
