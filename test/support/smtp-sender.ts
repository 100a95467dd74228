import { createSmtp } from '../../src/areas/comms/smtp.ts';

// Sends one email through the SMTP server in the first argument, and prints the outcome.
const [, , url = ''] = process.argv;
const rendered = {
  id: '018f0000-0000-7000-8000-000000000001',
  channel: 'email',
  to: 'ada@example.org',
  subject: 'From a process',
  text: 'Hello',
  html: null,
} as const;
const outcome = await createSmtp({ url, from: 'post@acme.example' })
  .send(rendered)
  .then(
    () => 'sent',
    (error: unknown) =>
      error instanceof Error && 'code' in error ? String(error.code) : 'unknown',
  );
console.log(outcome);
