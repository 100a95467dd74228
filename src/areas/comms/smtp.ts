import type { Transporter } from 'nodemailer';
import { sendError } from './provider.ts';
import type { Provider, Rendered } from './provider.ts';

export interface SmtpOptions {
  /** smtp:// (with STARTTLS where the server offers it, and never without for a password to another machine) or smtps://. */
  url: string;
  /** `Name <address>` or an address alone. */
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

/** 5yz is final (RFC 5321 §4.2.1). So is a message that the library itself refuses to send. */
function failureOf(error: unknown) {
  if (!(error instanceof Error)) return sendError('unknown', { isPermanent: false });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  // A server that does not know STARTTLS answers 500 to it; who is in between can make it so for a while.
  if ('responseCode' in error && typeof error.responseCode === 'number' && code !== 'ETLS') {
    return sendError(`smtp_${error.responseCode}`, { isPermanent: error.responseCode >= 500 });
  }
  return sendError(code, { isPermanent: ['EENVELOPE', 'EMESSAGE', 'EAUTH'].includes(code) });
}

const thisMachine: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whoever sits in between can take the offer of STARTTLS away: then a password for another machine would go in the clear. */
function needsTls(url: string): boolean {
  const { password, hostname } = new URL(url);
  return password !== '' && !thisMachine.includes(hostname.toLowerCase());
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const timeouts = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  // What the address sets in its query (`?requireTLS=false`) is left as it is.
  return createTransport({
    url,
    ...timeouts,
    requireTLS: needsTls(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** How the recipient gets off a list: RFC 2369 §3.2, and in one click RFC 8058 §3.1, which is for https alone. */
function listHeaders(unsubscribe: string | undefined): Record<string, string> {
  if (unsubscribe === undefined) return {};
  const oneClick = unsubscribe.startsWith('https:')
    ? { 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }
    : {};
  return { 'list-unsubscribe': `<${unsubscribe}>`, ...oneClick };
}

/** E-mail by SMTP: text and HTML, one recipient. The mail library is loaded at the first message. */
export function createSmtp({ url, from }: SmtpOptions): Provider {
  const sender = parseAddress(from);
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  let opening: Promise<Transporter> | undefined;

  // Addresses as objects: as texts they would be parsed, and a text can hold several.
  const mailOf = ({ id, to, subject, text, html, unsubscribe }: Rendered) => ({
    from: sender,
    to: { name: '', address: to },
    envelope: { from: sender.address, to: [to] },
    subject: subject ?? '',
    text,
    ...(html === null ? {} : { html }),
    messageId: `<${id}@${domain}>`,
    headers: { 'auto-submitted': 'auto-generated', ...listHeaders(unsubscribe) },
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
      return { reference: `<${rendered.id}@${domain}>` };
    },
  };
}
