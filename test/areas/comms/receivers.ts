import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface ReceivedPost {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A provider's HTTP API. Responds with the next of `answers`, or 201 if there is none. */
export async function startHttpReceiver() {
  const received: ReceivedPost[] = [];
  const responses: { status: number; body?: string; headers?: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        received.push({
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(parts).toString(),
        });
        const {
          status,
          body = '{"sid":"SM0123"}',
          headers = {},
        } = responses.shift() ?? { status: 201 };
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers: responses,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

interface ReceivedMail {
  from: string;
  recipients: string[];
  source: string;
  isEncrypted: boolean;
  /** The user who logged in. */
  user: string | undefined;
}

export interface SmtpReceiverOptions {
  /** PEM. With it the server offers STARTTLS, or begins with TLS when `isSecure`. */
  tls?: { key: string; cert: string };
  isSecure?: boolean;
  /** The credentials required to send mail. If undefined, no login is needed. */
  login?: { user: string; password: string };
  /** Whether logins are accepted on unencrypted connections. */
  isCareless?: boolean;
}

/** A mail server. Refuses a recipient with the next of `refusals`, if any. */
export async function startSmtpReceiver({
  tls,
  isSecure = false,
  login,
  isCareless = false,
}: SmtpReceiverOptions = {}) {
  const received: ReceivedMail[] = [];
  const refusals: { status: number; text: string }[] = [];
  /** Every login that was tried, with whether the connection was encrypted. */
  const logins: { user: string; password: string; isEncrypted: boolean }[] = [];
  const server = new SMTPServer({
    ...tls,
    secure: isSecure,
    authOptional: login === undefined,
    allowInsecureAuth: isCareless,
    disabledCommands: tls === undefined || isSecure ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    onAuth({ username, password: given }, session, callback) {
      const [user, password] = [username ?? '', given ?? ''];
      logins.push({ user, password, isEncrypted: session.secure });
      if (user === login?.user && password === login.password) callback(null, { user });
      else
        callback(
          Object.assign(new Error(`${user} may not log in with ${password}`), {
            responseCode: 535,
          }),
        );
    },
    onRcptTo(_address, _session, callback) {
      const refusal = refusals.shift();
      callback(
        refusal === undefined
          ? undefined
          : Object.assign(new Error(refusal.text), { responseCode: refusal.status }),
      );
    },
    onData(stream, { envelope, secure, user }, callback) {
      const parts: Buffer[] = [];
      stream
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          received.push({
            from,
            recipients: envelope.rcptTo.map(({ address }) => address),
            source: Buffer.concat(parts).toString(),
            isEncrypted: secure,
            user: typeof user === 'string' ? user : undefined,
          });
          callback();
        });
    },
  });
  // Some tests abort connections on purpose.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    refusals,
    logins,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString();
}

function splitHead(source: string): { headers: [name: string, value: string][]; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { headers, body: source.slice(end + 4) };
}

/** The decoded parts of a message or of a part of it, by their media types. */
function partsOf(source: string): [type: string, content: string][] {
  const { headers, body } = splitHead(source);
  const fields = new Map(headers);
  const type = fields.get('content-type') ?? '';
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  if (boundary === undefined)
    return [
      [type.split(';')[0] ?? '', decode(body, fields.get('content-transfer-encoding') ?? '7bit')],
    ];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => partsOf(part.replace(/^\r\n/, '')));
}

/** Headers in order, and the decoded text and HTML of a message. */
export function parseMail(source: string) {
  const { headers } = splitHead(source);
  const all = (name: string) => headers.filter(([each]) => each === name).map(([, value]) => value);
  const parts = new Map(partsOf(source));
  return { headers: all, text: parts.get('text/plain') ?? '', html: parts.get('text/html') ?? '' };
}
