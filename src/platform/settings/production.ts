import type { Config, ConfigMistake } from '../../config.ts';
import { weaknessOfSecret } from '../../lib/secrets/guessable.ts';
import { brokenRules, type Rule } from './rules.ts';
import { isOnThisMachine } from './value-schemas.ts';
import { parseUrl } from '../../lib/net/parse-url.ts';

/** What should replace a guessable secret, by setting. */
const secrets = {
  ADMIN_API_KEY: 'a random one (openssl rand -hex 32)',
  AUTH_SECRET: 'a random one (openssl rand -hex 32)',
  SMS_WEBHOOK_SECRET: 'a random one (openssl rand -hex 32)',
  IDP_CLIENT_SECRET: 'the secret from the identity provider',
  PAYMENTS_WEBHOOK_SECRET: 'the secret from the payment provider',
  TWILIO_AUTH_TOKEN: 'the token from Twilio',
} as const;

type Secret = keyof typeof secrets;
const secretNames = Object.keys(secrets).filter((name): name is Secret => name in secrets);

const valuesOf = (config: Config, name: Secret): string[] => [config[name] ?? []].flat();

function guessableSecrets(config: Config): ConfigMistake[] {
  return secretNames.flatMap((variable) => {
    const weakness = valuesOf(config, variable)
      .map(weaknessOfSecret)
      .find((each) => each !== undefined);
    return weakness === undefined
      ? []
      : [
          {
            variable,
            message: `is guessable: it ${weakness}; production requires ${secrets[variable]}`,
          },
        ];
  });
}

/** Secrets must differ, because a leak of one would reveal the other. */
function sharedSecrets(config: Config): ConfigMistake[] {
  return secretNames.flatMap((variable, at) => {
    const other = secretNames
      .slice(0, at)
      .find((name) =>
        valuesOf(config, name).some((value) => valuesOf(config, variable).includes(value)),
      );
    return other === undefined
      ? []
      : [{ variable, message: `is the same as ${other}; use a different value for each` }];
  });
}

/** True for a plain http URL of another machine. */
function isPlain(text: string | undefined): boolean {
  if (text?.startsWith('http:') !== true) return false;
  const url = parseUrl(text);
  return url === undefined || !isOnThisMachine(url);
}

const requirements: readonly Rule[] = [
  [
    'IDP_ISSUER',
    ({ IDP_ISSUER }) => isPlain(IDP_ISSUER),
    'must be an https URL; in production the provider must use TLS',
  ],
  [
    'APP_ORIGINS',
    ({ APP_ORIGINS }) => APP_ORIGINS.some(isPlain),
    'must list https origins; in production tokens are only sent to pages loaded over TLS',
  ],
  [
    'AUTH_SECRET',
    // Replicas share the database but not the data folder: each would generate its own secret.
    ({ DATABASE_URL, AUTH_SECRET }) => DATABASE_URL !== undefined && AUTH_SECRET === undefined,
    'is missing; production with DATABASE_URL requires it (openssl rand -hex 32)',
  ],
];

/** Returns the mistakes that prevent a start in production. */
export const productionMistakes = (config: Config): ConfigMistake[] =>
  config.NODE_ENV === 'production'
    ? [...guessableSecrets(config), ...sharedSecrets(config), ...brokenRules(requirements, config)]
    : [];

/** True when a proxy range is larger than any private network, the largest being 10.0.0.0/8. */
function trustsEverybody({ TRUST_PROXY }: Config): boolean {
  return TRUST_PROXY.split(',').some((entry) => {
    const [address = '', prefix] = entry.trim().split('/');
    return prefix !== undefined && Number(prefix) < (address.includes(':') ? 7 : 8);
  });
}

function hasGuessablePassword(url: string | undefined): boolean {
  const { password = '' } = parseUrl(url ?? '') ?? {};
  return password !== '' && weaknessOfSecret(password) !== undefined;
}

function guessablePasswords(config: Config): ConfigMistake[] {
  const urls = ['REDIS_URL', 'DATABASE_URL', 'SMTP_URL'] as const;
  return urls
    .filter((variable) => hasGuessablePassword(config[variable]))
    .map((variable) => ({
      variable,
      message: 'has a guessable password; use a random one',
    }));
}

const isOpenTo = (host: string): boolean => !/^(?:localhost|127\.|::1$)/.test(host);

const sendsSms = ({ SMS_URL, TWILIO_ACCOUNT_SID }: Config): boolean =>
  SMS_URL !== undefined || TWILIO_ACCOUNT_SID !== undefined;
const isHttps = ({ BASE_URL }: Config): boolean => BASE_URL?.startsWith('https:') === true;

const recommendations: readonly Rule[] = [
  [
    'BASE_URL',
    ({ BASE_URL }) => BASE_URL === undefined,
    'is not set: links contain HOST and PORT, and cookies are not Secure. Set it to the public ' +
      'https URL.',
  ],
  [
    'BASE_URL',
    (config) => config.BASE_URL !== undefined && !isHttps(config),
    'is not https: sign-in codes and cookies can be intercepted. Put a TLS proxy in front of ' +
      'the service and set the https URL.',
  ],
  [
    'RATE_LIMIT',
    ({ RATE_LIMIT }) => !RATE_LIMIT,
    'is off: requests are not limited. Set it to on.',
  ],
  [
    'OTP_LIMITS',
    ({ OTP_LIMITS }) => !OTP_LIMITS,
    'is off: anyone can request any number of codes. Set it to on.',
  ],
  [
    'OTP_COUNTRIES',
    (config) => sendsSms(config) && config.OTP_COUNTRIES === '',
    'is empty: codes are sent to all countries, including expensive ones. List the ' +
      'countries of your users.',
  ],
  [
    'DEVICE_BINDING',
    ({ DEVICE_BINDING }) => DEVICE_BINDING === 'none',
    'is none: a stolen session can open the console. Set it to cookie, key or webauthn.',
  ],
  [
    'TRUST_PROXY',
    trustsEverybody,
    'includes addresses that are not your proxies, so clients can fake their address and evade ' +
      'limits. List only your proxies.',
  ],
  [
    'TRUST_PROXY',
    (config) => config.TRUST_PROXY === '' && (isHttps(config) || isOpenTo(config.HOST)),
    'is empty: behind a proxy, all clients share one limit; without a proxy, they connect ' +
      'without TLS. List the addresses of your proxies.',
  ],
  [
    'SITE_REGISTRATION',
    ({ SITE_REGISTRATION }) => SITE_REGISTRATION === 'open',
    'is open: anyone can register sites. Set it to closed once you have added yours.',
  ],
  [
    'ADMIN_API_KEY',
    ({ ADMIN_API_KEY }) => ADMIN_API_KEY !== undefined,
    'is set: it allows all admin actions without an approved device. Create a key for each ' +
      'program in the console, then unset it.',
  ],
  [
    'SMTP_URL',
    (config) =>
      config.SMTP_URL === undefined && !sendsSms(config) && config.IDP_ISSUER === undefined,
    'is not set, and neither is an SMS or identity provider, so no one can sign in. Set ' +
      'SMTP_URL, SMS_URL, the Twilio settings or IDP_ISSUER.',
  ],
];

/**
 * Returns a warning for each protection that is off in production. Warnings do not prevent the
 * start.
 */
export const productionWarnings = (config: Config): ConfigMistake[] =>
  config.NODE_ENV === 'production'
    ? [...brokenRules(recommendations, config), ...guessablePasswords(config)]
    : [];
