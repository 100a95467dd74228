import type { Config, ConfigMistake } from '../../config.ts';
import { weaknessOfSecret } from '../../lib/secrets/guessable.ts';
import { brokenRules, type Rule } from './rules.ts';
import { isOnThisMachine } from './value-schemas.ts';

/** What should replace a guessable secret, by setting. */
const secrets = {
  ADMIN_API_KEY: 'a random one (openssl rand -hex 32)',
  AUTH_SECRET: 'a random one (openssl rand -hex 32)',
  SMS_WEBHOOK_SECRET: 'a random one (openssl rand -hex 32)',
  IDP_CLIENT_SECRET: 'the one that the identity provider gives',
  PAYMENTS_WEBHOOK_SECRET: 'the one that the payment provider gives',
  TWILIO_AUTH_TOKEN: 'the one that Twilio gives',
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
            message: `can be guessed: it ${weakness}; production needs ${secrets[variable]}`,
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
      : [{ variable, message: `is the same as ${other}; each needs its own` }];
  });
}

/** True for a plain http URL of another machine. */
const isPlain = (url: string | undefined): boolean =>
  url?.startsWith('http:') === true && !(URL.canParse(url) && isOnThisMachine(new URL(url)));

const requirements: readonly Rule[] = [
  [
    'MCP_CONFORMANCE',
    ({ MCP_CONFORMANCE }) => MCP_CONFORMANCE,
    'is for the conformance suite, which needs no credential; it must not be on in production',
  ],
  [
    'IDP_ISSUER',
    ({ IDP_ISSUER }) => isPlain(IDP_ISSUER),
    'must be an https address; production talks to no provider without TLS',
  ],
  [
    'APP_ORIGINS',
    ({ APP_ORIGINS }) => APP_ORIGINS.some(isPlain),
    'must list https origins; in production tokens go to no page that came without TLS',
  ],
  [
    'AUTH_SECRET',
    // Replicas share the database but not the data folder: each would generate its own secret.
    ({ DATABASE_URL, AUTH_SECRET }) => DATABASE_URL !== undefined && AUTH_SECRET === undefined,
    'is missing; production with DATABASE_URL needs one (openssl rand -hex 32)',
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
  if (url === undefined || !URL.canParse(url)) return false;
  const { password } = new URL(url);
  return password !== '' && weaknessOfSecret(password) !== undefined;
}

function guessablePasswords(config: Config): ConfigMistake[] {
  const urls = ['REDIS_URL', 'DATABASE_URL', 'SMTP_URL'] as const;
  return urls
    .filter((variable) => hasGuessablePassword(config[variable]))
    .map((variable) => ({
      variable,
      message: 'has a password that can be guessed; give that server a random one',
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
    'is not set: links name HOST and PORT, and cookies are sent without Secure. Set the public ' +
      'https address.',
  ],
  [
    'BASE_URL',
    (config) => config.BASE_URL !== undefined && !isHttps(config),
    'is not https: sign-in codes and cookies can be read on the way. Put TLS before the ' +
      'service and set the https address.',
  ],
  ['RATE_LIMIT', ({ RATE_LIMIT }) => !RATE_LIMIT, 'is off: nobody is slowed down. Set it to on.'],
  [
    'OTP_LIMITS',
    ({ OTP_LIMITS }) => !OTP_LIMITS,
    'is off: anybody can have codes sent without end. Set it to on.',
  ],
  [
    'OTP_COUNTRIES',
    (config) => sendsSms(config) && config.OTP_COUNTRIES === '',
    'is empty: codes are sent to numbers of every country, expensive ones too. List the ' +
      'countries of your users.',
  ],
  [
    'DEVICE_BINDING',
    ({ DEVICE_BINDING }) => DEVICE_BINDING === 'none',
    'is none: a stolen session is enough for the console. Set it to cookie, key or webauthn.',
  ],
  [
    'DEVICE_FIRST',
    ({ DEVICE_FIRST }) => DEVICE_FIRST === 'tofu',
    'is tofu: the first device of everybody is cleared by nobody. Set it to first_admin or nobody.',
  ],
  [
    'TRUST_PROXY',
    trustsEverybody,
    'covers addresses that are not your proxies: anybody can choose the address that limits ' +
      'count. List the proxies alone.',
  ],
  [
    'TRUST_PROXY',
    (config) => config.TRUST_PROXY === '' && (isHttps(config) || isOpenTo(config.HOST)),
    'is empty: behind a proxy all clients count as one, and without one they reach this port ' +
      'without TLS. List the addresses of your proxies.',
  ],
  [
    'SITE_REGISTRATION',
    ({ SITE_REGISTRATION }) => SITE_REGISTRATION === 'open',
    'is open: anybody can register sites. Set it to closed once yours are there.',
  ],
  [
    'ADMIN_API_KEY',
    ({ ADMIN_API_KEY }) => ADMIN_API_KEY !== undefined,
    'is set: it does what admins do, on no cleared device. Make a key for each program in the ' +
      'console, and take it away.',
  ],
  [
    'SMTP_URL',
    (config) =>
      config.SMTP_URL === undefined && !sendsSms(config) && config.IDP_ISSUER === undefined,
    'is not set, nor a provider of SMS or identities: nobody can sign in. Set one of SMTP_URL, ' +
      'SMS_URL, the Twilio settings or IDP_ISSUER.',
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
