import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Outbox } from './outbox.ts';
import type { Channel, Provider } from './provider.ts';
import { createSmtp } from './smtp.ts';
import { createTwilio } from './twilio.ts';
import { createWebhook } from './webhook.ts';

export interface ProviderOptions {
  config: Config;
  clock: Clock;
  outbox: Outbox;
  /** Whether messages of channels without a provider go to the outbox. */
  keeps: boolean;
}

/** The provider of each channel; undefined where nothing can be sent. */
export type Providers = Record<Channel, Provider | undefined>;

function smsProvider({ config, clock }: ProviderOptions): Provider | undefined {
  const {
    SMS_URL: url,
    SMS_WEBHOOK_SECRET: secret,
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_FROM: from,
  } = config;
  if (url !== undefined && secret !== undefined) return createWebhook({ url, secret, clock });
  return accountSid !== undefined && authToken !== undefined && from !== undefined
    ? createTwilio({ accountSid, authToken, from })
    : undefined;
}

function emailProvider({
  config: { SMTP_URL: url, MAIL_FROM: from },
}: ProviderOptions): Provider | undefined {
  return url !== undefined && from !== undefined ? createSmtp({ url, from }) : undefined;
}

/** Chooses providers by configuration. A channel without one uses the outbox, or is disabled. */
export function createProviders(options: ProviderOptions): Providers {
  const fallback = options.keeps ? options.outbox.provider : undefined;
  return { sms: smsProvider(options) ?? fallback, email: emailProvider(options) ?? fallback };
}
