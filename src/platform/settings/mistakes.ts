import type { Config, ConfigMistake } from '../../config.ts';
import { baseUrlOf } from './base-url.ts';
import { productionMistakes } from './production.ts';
import { brokenRules, type Rule } from './rules.ts';
import { reviewRules } from './review-account.ts';

const twilioSettings = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;

const usesTwilio = (config: Config): boolean =>
  twilioSettings.some((variable) => config[variable] !== undefined);

const rules: readonly Rule[] = [
  [
    'HEALTH_PORT',
    ({ PORT, HEALTH_PORT }) => PORT !== 0 && PORT === HEALTH_PORT,
    'must differ from PORT, which serves the probes anyway',
  ],
  [
    'APP_ORIGINS',
    (config) => config.APP_ORIGINS.includes(new URL(baseUrlOf(config)).origin),
    'must not list the origin of the service: its own pages use cookies',
  ],
  ...twilioSettings.map((variable): Rule => [
    variable,
    (config) => usesTwilio(config) && config[variable] === undefined,
    'is missing; set all Twilio settings or none',
  ]),
  [
    'SMS_URL',
    (config) => usesTwilio(config) && config.SMS_URL !== undefined,
    'cannot be set together with Twilio',
  ],
  [
    'SMS_WEBHOOK_SECRET',
    ({ SMS_URL, SMS_WEBHOOK_SECRET }) => SMS_URL !== undefined && SMS_WEBHOOK_SECRET === undefined,
    'is missing; SMS_URL requires it',
  ],
  [
    'MAIL_FROM',
    ({ SMTP_URL, MAIL_FROM }) => SMTP_URL !== undefined && MAIL_FROM === undefined,
    'is missing; SMTP_URL requires it',
  ],
  [
    'SIGN_UP_DOMAINS',
    ({ SIGN_UP, SIGN_UP_DOMAINS }) => SIGN_UP === 'domain' && SIGN_UP_DOMAINS === '',
    'is missing; SIGN_UP=domain requires it',
  ],
  [
    'SIGN_UP_DOMAINS',
    ({ SIGN_UP, SIGN_UP_DOMAINS }) => SIGN_UP !== 'domain' && SIGN_UP_DOMAINS !== '',
    'has no effect without SIGN_UP=domain; set that, or unset the domains',
  ],
  ...reviewRules,
];

/** Returns the mistakes of settings that are valid individually but conflict with each other. */
export const configMistakes = (config: Config): ConfigMistake[] => [
  ...brokenRules(rules, config),
  ...productionMistakes(config),
];
