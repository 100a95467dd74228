import { createHmac } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { httpPost } from './http-post.ts';
import type { Provider } from './provider.ts';

export interface WebhookOptions {
  url: string;
  /** `whsec_` and base64 (Standard Webhooks), or any other text, used as the key itself. */
  secret: string;
  clock: Clock;
}

function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
}

/**
 * SMS by a signed POST of `{id,to,text}` (Standard Webhooks 1.0.0). `webhook-id` is the delivery's
 * id, the same for all attempts, so that the receiver can detect repeats.
 */
export function createWebhook({ url, secret, clock }: WebhookOptions): Provider {
  const key = keyOf(secret);

  function signatureHeaders(id: string, body: string): Record<string, string> {
    const timestamp = String(Math.floor(clock.now() / 1000));
    const signature = createHmac('sha256', key)
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
  }

  return {
    name: 'webhook',
    async send({ id, to, text }) {
      const body = JSON.stringify({ id, to, text });
      await httpPost({
        url,
        headers: { 'content-type': 'application/json', ...signatureHeaders(id, body) },
        body,
      });
      return {};
    },
  };
}
