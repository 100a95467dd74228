import type { Resources } from '../../platform/resources.ts';
import type { Channel, Provider } from './provider.ts';
import { createSmtp } from './smtp.ts';
import { createTwilio } from './twilio.ts';
import { createWebhook } from './webhook.ts';

type Settings = Pick<Resources, 'config' | 'clock'>;

/** The provider of each channel; undefined where nothing can be sent. */
export type Providers = Record<Channel, Provider | undefined>;

/** Chooses providers by configuration. A channel without one uses `fallback`, or is disabled. */
export const createProviders = (settings: Settings, fallback: Provider | undefined): Providers => ({
  sms: smsProvider(settings) ?? fallback,
  email: emailProvider(settings) ?? fallback,
});

function smsProvider({ config, clock }: Settings): Provider | undefined {
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

const emailProvider = ({
  config: { SMTP_URL: url, MAIL_FROM: from },
}: Settings): Provider | undefined =>
  url !== undefined && from !== undefined ? createSmtp({ url, from }) : undefined;
