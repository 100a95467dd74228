import { brandNamed } from '../../support/brand.ts';
import { afterAll, expect, it } from 'vitest';
import type { Rendered } from '../../../src/areas/comms/provider.ts';
import { createSmtp } from '../../../src/areas/comms/smtp.ts';
import { renderTemplate } from '../../../src/areas/comms/templates.ts';
import { startSmtpReceiver } from '../comms/receivers.ts';

const server = await startSmtpReceiver();
afterAll(() => server.close());

const token = `018f0000-0000-7000-8000-000000000001.${'a'.repeat(43)}`;
const params = (origin: string) => ({
  name: 'Requests fail',
  phase: 'Identified',
  components: '',
  body: 'Text.',
  url: `${origin}/status/incidents/1`,
  unsubscribe: `${origin}/status/unsubscribe?token=${token}`,
});

async function headersOf(
  origin: string,
  content: Partial<Rendered> = renderTemplate(
    'status_update',
    'email',
    params(origin),
    brandNamed('Acme')(),
  ),
): Promise<Map<string, string>> {
  const before = server.received.length;
  await createSmtp({ url: server.url, from: 'Acme <no-reply@example.com>' }).send({
    id: 'x',
    channel: 'email',
    to: 'a@example.com',
    subject: null,
    text: '',
    html: null,
    ...content,
  });
  const [head = ''] = (server.received[before]?.source ?? '').split('\r\n\r\n');
  return new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.split(':', 1).join('').toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
}

it('an email to subscribers has the headers of RFC 2369 and RFC 8058', async () => {
  const headers = await headersOf('https://svc.example');
  expect(headers.get('list-unsubscribe')).toBe(
    `<https://svc.example/status/unsubscribe?token=${token}>`,
  );
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(headers.get('subject')).toBe('Acme status: Requests fail (Identified)');
});

it('a one-click header is sent only with https, and not in an email to one person', async () => {
  const plain = await headersOf('http://localhost:3000');
  expect(plain.has('list-unsubscribe')).toBe(true);
  expect(plain.has('list-unsubscribe-post')).toBe(false);
  const code = { code: '123456', minutes: '5', host: 'localhost' };
  const personal = await headersOf(
    '',
    renderTemplate('sign_in_code', 'email', code, brandNamed('Acme')()),
  );
  for (const name of ['list-unsubscribe', 'list-unsubscribe-post'])
    expect(personal.has(name)).toBe(false);
});

it.each(['javascript:alert(1)', 'https://svc.example/>\r\nbcc: x@example.com', ''])(
  'no email is made with the link %j to unsubscribe',
  (unsubscribe) => {
    const invalid = { ...params('https://svc.example'), unsubscribe };
    expect(() => renderTemplate('status_update', 'email', invalid, brandNamed('Acme')())).toThrow();
  },
);
