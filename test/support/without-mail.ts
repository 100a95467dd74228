import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { freshApp, type FreshApp } from './app.ts';

/** An app in production that can send no email. It is closed after the test. */
export async function openWithoutMail(): Promise<FreshApp> {
  const app = await freshApp({
    env: {
      NODE_ENV: 'production',
      BASE_URL: 'https://svc.example',
      AUTH_SECRET: randomBytes(32).toString('hex'),
    },
  });
  onTestFinished(() => app.close());
  return app;
}
