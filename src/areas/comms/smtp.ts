import type { Transporter } from 'nodemailer';
import { logoContentId } from '../../platform/ui/mail/mail.tsx';
import { sendError } from './provider.ts';
import type { Provider, Rendered } from './provider.ts';
import type { MailThread } from './schemas.ts';

export interface SmtpOptions {
  /**
   * `smtps://`, or `smtp://`, which uses STARTTLS if offered, and requires it to send a password to
   * another host.
   */
  url: string;
  /** `Name <address>` or only an address. */
  from: string;
}

const timeoutMs = 10_000;

interface Address {
  name: string;
  address: string;
}

function parseAddress(text: string): Address {
  const match = /^(.*) <([^<>]+)>$/.exec(text);
  return { name: match?.[1] ?? '', address: match?.[2] ?? text };
}

/** Permanent: 5yz replies (RFC 5321 §4.2.1), and messages that the library refuses to send. */
function failureOf(error: unknown) {
  if (!(error instanceof Error)) return sendError('unknown', { isPermanent: false });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  // A server without STARTTLS replies 500 to it, which an attacker can also forge: not permanent.
  if ('responseCode' in error && typeof error.responseCode === 'number' && code !== 'ETLS') {
    return sendError(`smtp_${error.responseCode}`, { isPermanent: error.responseCode >= 500 });
  }
  return sendError(code, { isPermanent: ['EENVELOPE', 'EMESSAGE', 'EAUTH'].includes(code) });
}

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** An attacker can strip STARTTLS; then a password to another host would go in plain text. */
function needsTls(url: string): boolean {
  const { password, hostname } = new URL(url);
  return password !== '' && !loopbackHosts.includes(hostname.toLowerCase());
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const timeouts = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  // Settings in the URL's query (`?requireTLS=false`) take precedence.
  return createTransport({
    url,
    ...timeouts,
    requireTLS: needsTls(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Unsubscribe headers: RFC 2369 §3.2, and RFC 8058 §3.1 for one click, which requires https. */
function listHeaders(unsubscribe: string | undefined): Record<string, string> {
  if (unsubscribe === undefined) return {};
  const oneClick = unsubscribe.startsWith('https:')
    ? { 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }
    : {};
  return { 'list-unsubscribe': `<${unsubscribe}>`, ...oneClick };
}

/** The logo, as a part of the mail that is not listed as a file. */
const attachmentsOf = ({ logo }: Rendered) =>
  logo === undefined
    ? []
    : [
        {
          filename: 'logo.png',
          content: logo,
          contentType: 'image/png',
          contentDisposition: 'inline' as const,
          cid: logoContentId,
        },
      ];

/** The headers of a conversation. */
function threadFields(thread: MailThread | undefined) {
  if (thread === undefined) return {};
  const { inReplyTo, references, replyTo } = thread;
  return {
    inReplyTo,
    references: [...references],
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
  };
}

/** Email by SMTP: text and HTML, one recipient. Loads the mail library at the first message. */
export function createSmtp({ url, from }: SmtpOptions): Provider {
  const sender = parseAddress(from);
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  let opening: Promise<Transporter> | undefined;

  const idOf = ({ id, thread }: Rendered) => thread?.messageId ?? `<${id}@${domain}>`;
  // Addresses as objects, because the library would parse a string into several.
  const mailOf = (rendered: Rendered) => ({
    from: sender,
    to: { name: '', address: rendered.to },
    envelope: { from: sender.address, to: [rendered.to] },
    subject: rendered.subject ?? '',
    text: rendered.text,
    html: rendered.html?.(),
    attachments: attachmentsOf(rendered),
    messageId: idOf(rendered),
    ...threadFields(rendered.thread),
    // A program does not answer a person's mail, so that header is for our own messages only.
    headers: {
      ...(rendered.thread === undefined ? { 'auto-submitted': 'auto-generated' } : {}),
      ...listHeaders(rendered.unsubscribe),
    },
  });

  return {
    name: 'smtp',
    async send(rendered) {
      try {
        const transport = await (opening ??= openTransport(url));
        await transport.sendMail(mailOf(rendered));
      } catch (error) {
        throw failureOf(error);
      }
      return { reference: idOf(rendered) };
    },
  };
}
