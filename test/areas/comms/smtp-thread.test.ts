import { afterAll, expect, it } from 'vitest';
import { MailThread } from '../../../src/areas/comms/schemas.ts';
import { createSmtp } from '../../../src/areas/comms/smtp.ts';
import { startSmtpReceiver } from './receivers.ts';

const mail = await startSmtpReceiver();
afterAll(() => mail.close());

const thread = {
  messageId: '<contact/a/messages/3@svc.example>',
  inReplyTo: '<contact/a/messages/2@svc.example>',
  references: ['<contact/a/messages/1@svc.example>', '<contact/a/messages/2@svc.example>'],
  replyTo: 'help@svc.example',
};
const rendered = {
  id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  channel: 'email' as const,
  to: 'ada@example.com',
  subject: 'Re: Invoice\r\nBcc: everybody@example.com',
  text: 'Hello',
  html: null,
};

/** The head of the newest mail, each header on one line. */
const head = (): string =>
  (mail.received.at(-1)?.source.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ');

it('an email of a conversation has the headers of its thread, not those of a program', async () => {
  const { send } = createSmtp({
    url: `smtp://127.0.0.1:${mail.port}`,
    from: 'Acme <post@acme.example>',
  });
  expect(await send({ ...rendered, thread })).toEqual({ reference: thread.messageId });
  const lines = head().split('\r\n');
  expect(lines).toContain(`Message-ID: ${thread.messageId}`);
  expect(lines).toContain(`In-Reply-To: ${thread.inReplyTo}`);
  expect(lines).toContain(`References: ${thread.references.join(' ')}`);
  expect(lines).toContain('Reply-To: help@svc.example');
  expect(head()).not.toMatch(/^Auto-Submitted/im);
  expect(head()).not.toMatch(/^Bcc/im);
  expect(mail.received.at(-1)?.recipients).toEqual(['ada@example.com']);

  await send(rendered);
  expect(head()).toMatch(/^Auto-Submitted: auto-generated$/im);
  expect(head()).not.toMatch(/^(?:In-Reply-To|References|Reply-To)/im);
});

it.each([
  ['a header', '<a@b>\r\nBcc: c@example.com'],
  ['two ids', '<a@b> <c@d>'],
  ['no brackets', 'a@b'],
])('headers of a thread with %s in an id are refused', (_what, messageId) => {
  expect(MailThread.safeParse({ ...thread, messageId }).success).toBe(false);
  expect(MailThread.safeParse({ ...thread, references: [messageId] }).success).toBe(false);
  expect(MailThread.safeParse(thread).success).toBe(true);
});
