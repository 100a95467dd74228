import { z } from 'zod';
import { addressesOf, entriesOf } from './lib/text/lists.ts';
import { areProxies } from './lib/net/proxy-lists.ts';
import { productionMistakes } from './platform/process/production.ts';

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const optionalUrl = (protocols: RegExp, example: string) =>
  z.string().regex(protocols, `must look like ${example}`).optional();
const bytes = z
  .string()
  .regex(/^\d+(KiB|MiB|GiB)?$/, 'must be a number of bytes, or one followed by KiB, MiB or GiB')
  .transform(parseBytes);

function parseBytes(text: string): number {
  const unit = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[text.at(-3) ?? ''] ?? 1;
  return Number.parseInt(text, 10) * unit;
}

const origins = z
  .string()
  .transform(entriesOf)
  .refine(
    (list) => list.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry),
    'must list origins such as https://app.example, separated by commas',
  );

const thisMachine: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** RFC 8252 §7: a scheme of the app's own, an https address that it claims, or this machine. */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, hash } = new URL(text);
  if (
    hash !== '' ||
    ['javascript:', 'data:', 'file:', 'blob:', 'about:', 'vbscript:'].includes(protocol)
  )
    return false;
  return protocol !== 'http:' || thisMachine.includes(hostname);
}

/** Every setting of the service. It is also the source of `.env.example` and `docs/configuration.md`. */
export const configSchema = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe(
      '`production` refuses missing and guessable secrets. `development` allows conveniences to requests from this machine, as long as HOST and BASE_URL are loopback and TRUST_PROXY is empty.',
    ),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(3000)
    .describe('TCP port to listen on; 0 picks a free one.'),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on. `0.0.0.0` or `::` for all interfaces.'),
  HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe(
      'TCP port of a second listener for probes alone (/api/health and below); it opens before the stores do and stays until the process ends. 0 picks a free one. Unset: none.',
    ),
  HEALTH_HOST: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Address of that listener. Unset: HOST, for probes come from where requests come from: another container, or this machine.',
    ),
  REPLICA_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, dashes or underscores')
    .optional()
    .describe(
      'What this replica is called: `replica` in every line of its log, and in /api/health for admins. Unset: the host name and a few random characters, new at every start.',
    ),
  RELEASE_ID: z
    .string()
    .regex(
      /^[\w.+-]{1,64}$/,
      'must have 1 to 64 letters, digits, dots, dashes, underscores or plus signs',
    )
    .optional()
    .describe('What /api/health calls this build, such as the commit.'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Public URL of the service, used in links. Passkeys belong to its host name: after a change they have to be made anew. Unset: http://HOST:PORT.',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe(
      'Folder for everything the service keeps: journal, embedded stores. One process at a time.',
    ),
  REDIS_URL: optionalUrl(/^rediss?:\/\//, 'redis://host:6379').describe(
    'Redis 7 or Valkey. Unset: the service runs its own redis-server in DATA_DIR/redis.',
  ),
  DATABASE_URL: optionalUrl(/^postgres(ql)?:\/\//, 'postgres://user@host:5432/name').describe(
    'PostgreSQL 15 or newer. Unset: PGlite in DATA_DIR/postgres.',
  ),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(10)
    .describe(
      'Connections that this process opens to DATABASE_URL at most. All replicas together must stay below what the server allows.',
    ),
  STORE_WAIT_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(30)
    .describe(
      'How long a start waits for a Redis or PostgreSQL that is away; the log says so, and `ready` says `starting` on HEALTH_PORT. After that the process ends with 1.',
    ),
  EVENTS_URL: optionalUrl(/^duckdb:/, 'duckdb:/path/events.duckdb').describe(
    'Analytics events. Unset: DuckDB in DATA_DIR/events.duckdb; `duckdb:/path/file` puts it elsewhere.',
  ),
  ADMIN_API_KEY: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'Accepted as an admin API key while set, so that a fresh install can be automated. 32 characters or more.',
    ),
  AUTH_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'All keys for codes and tokens come from it; the same on every replica. Unset: one is made in DATA_DIR/auth-secret. Production needs it with DATABASE_URL.',
    ),
  ADMIN_EMAILS: z
    .string()
    .refine(
      (list) => addressesOf(list).every((address) => z.email().safeParse(address).success),
      'must list e-mail addresses, separated by commas',
    )
    .default('')
    .describe('Comma-separated addresses whose owners become admins when they sign in.'),
  IDP_ISSUER: optionalUrl(/^https?:\/\/[^?#]+$/, 'https://login.host.example').describe(
    'Issuer of the OpenID Connect provider that people sign in at, spelt as its discovery document spells it. Register BASE_URL/api/auth/idp/callback and BASE_URL/api/auth/cmyk/idp/callback there.',
  ),
  IDP_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Client id at the provider. Unset or a placeholder: no sign-in there; in development /api/auth/dev/bypass/{email} signs in instead.',
    ),
  IDP_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret at the provider.'),
  IDP_REDIRECT_URIS: z
    .string()
    .refine(
      (list) => entriesOf(list).every(isRedirectUri),
      'must list absolute addresses, separated by commas; http only for this machine',
    )
    .default('')
    .describe(
      'Comma-separated addresses that native clients may be sent back to, such as `com.example.app:/signed-in`. They must be registered at the provider too.',
    ),
  OTP_COUNTRIES: z
    .string()
    .regex(
      /^(?:[A-Z]{2}(?:\s*,\s*[A-Z]{2})*)?$/,
      'must list ISO 3166-1 alpha-2 codes, separated by commas',
    )
    .default('')
    .describe('Countries whose phone numbers get codes, such as `US,CA,DE`. Empty: all.'),
  OTP_LIMITS: onOff
    .default(true)
    .describe(
      '`off` lifts the limits on how many codes are sent, for load tests. Tries stay limited.',
    ),
  OTP_PREFIX_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Codes an hour to phone numbers that differ in the last four digits only.'),
  OTP_DAILY_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(10_000)
    .describe('Codes a day by SMS, and as many by e-mail, to everybody together.'),
  DEVICE_BINDING: z
    .enum(['none', 'cookie', 'key', 'webauthn'])
    .default('cookie')
    .describe(
      'What a person must have to do what admins do: `cookie`, a cleared device; `key`, one that proves a key; `webauthn`, one that proves a key and a passkey of its own; `none`: any device.',
    ),
  DEVICE_CLEARANCE: z
    .enum(['four_eyes', 'self_step_up'])
    .default('four_eyes')
    .describe(
      'Who clears a device: `four_eyes`, another admin; `self_step_up`: its owner too, right after signing in with the second factor.',
    ),
  DEVICE_FIRST: z
    .enum(['first_admin', 'tofu', 'nobody'])
    .default('first_admin')
    .describe(
      'Which device is cleared without being asked about: `first_admin`, the first one of the first admin, within ten minutes; `tofu`, the first one of everybody; `nobody`: ADMIN_API_KEY has to approve the first.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least serious level that is logged (JSON lines on standard output).'),
  TRUST_PROXY: z
    .string()
    .refine(areProxies, 'must list IP addresses or CIDR ranges (10.0.0.0/8), separated by commas')
    .default('')
    .describe(
      'Comma-separated addresses or CIDR ranges of reverse proxies whose X-Forwarded-For is believed. Empty: none.',
    ),
  RATE_LIMIT: onOff.default(true).describe('`off` lifts the rate limits, for load tests.'),
  APP_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,50}$/u, 'must have 1 to 50 characters and no line breaks')
    .default('Platform Service')
    .describe('What messages and pages call the product.'),
  CONTACT_EMAIL: z
    .email()
    .optional()
    .describe(
      'Where people can write to: on the public pages, and in `/.well-known/security.txt`. Unset: the pages name no address.',
    ),
  LEGAL_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,100}$/u, 'must have 1 to 100 characters and no line breaks')
    .optional()
    .describe('Who offers the service, in the terms and the privacy notice. Unset: APP_NAME.'),
  LEGAL_ADDRESS: z
    .string()
    .regex(/^[^\p{Cc}]{1,300}$/u, 'must have 1 to 300 characters and no line breaks')
    .optional()
    .describe('Postal address of who offers the service, in one line, parts separated by commas.'),
  MCP_CONFORMANCE: z
    .stringbool()
    .default(false)
    .describe(
      '`1` adds the tools, resources and prompts that the conformance suite of the Model Context Protocol asks for. Never in production.',
    ),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\p{Cc}<>"@,;]{1,64} <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u,
      'must look like Name <post@host.example>',
    )
    .optional()
    .describe('Sender of e-mail: `Name <post@host.example>` or an address alone.'),
  SMTP_URL: optionalUrl(/^smtps?:\/\//, 'smtps://user:password@host:465').describe(
    'Mail server for e-mail; needs MAIL_FROM. Unset: no e-mail; with the conveniences of development it goes to /dev/outbox.',
  ),
  SMS_URL: optionalUrl(/^https?:\/\/(?![^/]*@)/, 'https://host/path').describe(
    'Takes SMS as signed JSON POSTs `{id,to,text}` (Standard Webhooks); needs SMS_WEBHOOK_SECRET. Neither this nor Twilio: no SMS; with the conveniences of development they go to /dev/outbox.',
  ),
  SMS_WEBHOOK_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'Signs what is sent to SMS_URL: `whsec_` and base64, or any text, of 32 characters or more.',
    ),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')
    .optional()
    .describe('Twilio account for SMS; needs the other two Twilio settings.'),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional().describe('Auth token of the Twilio account.'),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(?:\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/i,
      'must be a number like +15551234567 or the id of a messaging service (MG…)',
    )
    .optional()
    .describe('Number (E.164) or messaging service (`MG…`) that Twilio sends from.'),
  PAYMENTS_WEBHOOK_SECRET: z
    .string()
    .transform(entriesOf)
    .refine(
      (list) => list.length >= 1 && list.length <= 2 && list.every((secret) => secret.length >= 16),
      'must be one secret, or two separated by a comma, of at least 16 characters',
    )
    .optional()
    .describe(
      "Checks what the payment provider reports to /api/auth/webhooks/payments: the endpoint's `whsec_…` of Stripe, or two separated by a comma while one is rolled over. Unset: the path answers 503.",
    ),
  ANALYTICS: onOff
    .default(true)
    .describe(
      '`off`: this replica takes no events, answers no question about figures (503), and sends no reports: another replica does. See docs/operations.md.',
    ),
  SITE_REGISTRATION: z
    .enum(['open', 'closed'])
    .optional()
    .describe(
      '`open`: an unknown site_id is registered when its first event arrives, at most 20 a day from one address without an API key. `closed`: it is refused. Unset: closed in production, open elsewhere.',
    ),
  SITE_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe('Most sites that open registration may create.'),
  QUESTION_DEADLINE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe(
      'How long a question about figures may wait for its turn, and then run. Later it is given up with 503. Exports may take as long as they make progress.',
    ),
  STORED_BYTES_PER_ADDRESS: bytes
    .default(128 * 1024 ** 2)
    .describe(
      'Bytes of events that one address (IPv6: one /64) may bring in a day (UTC) without an API key: some 400,000 page views. 0: any number.',
    ),
  STORED_BYTES_PER_SITE: bytes
    .default(2 * 1024 ** 3)
    .describe(
      'Bytes of events that one site may get in a day (UTC) without an API key: some six million page views. 0: any number.',
    ),
  DEDUPE_WINDOW_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(168)
    .default(24)
    .describe('How long a client-supplied event id is remembered, in hours.'),
  DEDUPE_MEMORY_LIMIT: bytes
    .refine((size) => size >= 1024 ** 2, 'must be at least 1MiB')
    .default(256 * 1024 ** 2)
    .describe(
      'Most memory for those ids, about 30 bytes each. When it is full, the site with the most ids loses its oldest ones first.',
    ),
  JOURNAL_SEGMENT_SIZE: bytes
    .default(32 * 1024 ** 2)
    .describe('Size at which the journal begins a new segment file.'),
  JOURNAL_BACKLOG_LIMIT: bytes
    .default(1024 ** 3)
    .describe('Most journal bytes that may wait for the event store; above it ingest answers 503.'),
  APP_ORIGINS: origins
    .default([])
    .describe(
      'Comma-separated origins of single-page apps, besides the own one, whose pages may sign people in and call with their tokens, never with cookies. Empty: none.',
    ),
  WS_ORIGINS: origins
    .default([])
    .describe(
      'Comma-separated origins, besides the own one, whose pages may open the sockets under /ws/ with the session of whoever sits before them.',
    ),
  WS_CONNECTION_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(50_000)
    .describe('Sockets that this process holds at most; further handshakes are answered 503.'),
  SHUTDOWN_GRACE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe(
      'Milliseconds between "ready" turning 503 and closing the listener, for load balancers that poll.',
    ),
});

export type Config = Readonly<z.output<typeof configSchema>>;

export interface ConfigMistake {
  variable: string;
  message: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly ConfigMistake[];

  constructor(mistakes: readonly ConfigMistake[]) {
    super(mistakes.map(({ variable, message }) => `${variable}: ${message}`).join('\n'));
    this.mistakes = mistakes;
  }
}

function appOriginMistakes(config: Config): ConfigMistake[] {
  const own = new URL(baseUrlOf(config)).origin;
  if (!config.APP_ORIGINS.includes(own)) return [];
  return [
    {
      variable: 'APP_ORIGINS',
      message: 'must not list the origin of the service itself: its own pages have cookies',
    },
  ];
}

function probeMistakes({ PORT, HEALTH_PORT }: Config): ConfigMistake[] {
  return PORT !== 0 && PORT === HEALTH_PORT
    ? [
        {
          variable: 'HEALTH_PORT',
          message: 'must not be PORT, where the probes are answered anyway',
        },
      ]
    : [];
}

const twilioSettings = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;

/** Settings of message delivery that don't go together. */
function messageMistakes(config: Config): ConfigMistake[] {
  const missing = twilioSettings.filter((variable) => config[variable] === undefined);
  const usesTwilio = missing.length < twilioSettings.length;
  const mistakes: ConfigMistake[] = usesTwilio
    ? missing.map((variable) => ({
        variable,
        message: 'is missing; the Twilio settings come together',
      }))
    : [];
  if (usesTwilio && config.SMS_URL !== undefined)
    mistakes.push({ variable: 'SMS_URL', message: 'cannot be set together with Twilio' });
  if (config.SMS_URL !== undefined && config.SMS_WEBHOOK_SECRET === undefined)
    mistakes.push({ variable: 'SMS_WEBHOOK_SECRET', message: 'is missing; SMS_URL needs it' });
  if (config.SMTP_URL !== undefined && config.MAIL_FROM === undefined)
    mistakes.push({ variable: 'MAIL_FROM', message: 'is missing; SMTP_URL needs it' });
  return mistakes;
}

/**
 * Reads the settings from `env` (empty strings count as unset).
 * Throws a ConfigError with one entry for each mistake; values are never repeated in it.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = configSchema.safeParse(given);
  if (!result.success) {
    throw new ConfigError(
      result.error.issues.map((issue) => ({
        variable: issue.path.join('.'),
        message: issue.message,
      })),
    );
  }
  const mistakes = [
    ...probeMistakes(result.data),
    ...appOriginMistakes(result.data),
    ...messageMistakes(result.data),
    ...productionMistakes(result.data),
  ];
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.freeze(result.data);
}

/** The public URL without a slash at the end. */
export function baseUrlOf(config: Config): string {
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  return (config.BASE_URL ?? `http://${host}:${config.PORT}`).replace(/\/$/, '');
}
