import { isIP } from 'node:net';
import { z } from 'zod';

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const optionalUrl = (protocols: RegExp, example: string) =>
  z.string().regex(protocols, `must look like ${example}`).optional();
const bytes = z
  .string()
  .regex(/^\d+(KiB|MiB|GiB)?$/, 'must be a number of bytes, or one followed by KiB, MiB or GiB')
  .transform(parseBytes);

const namedRanges: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  const version = isIP(address);
  if (version === 0) return namedRanges.has(entry);
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

function areProxies(list: string): boolean {
  return list.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '').every(isProxy);
}

function parseBytes(text: string): number {
  const unit = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[text.at(-3) ?? ''] ?? 1;
  return Number.parseInt(text, 10) * unit;
}

/** Every setting of the service. It is also the source of `.env.example` and `docs/configuration.md`. */
export const configSchema = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development')
    .describe('`production` refuses missing or placeholder secrets; `development` allows local conveniences.'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000)
    .describe('TCP port to listen on; 0 picks a free one.'),
  HOST: z.string().min(1).default('127.0.0.1')
    .describe('Address to listen on. `0.0.0.0` or `::` for all interfaces.'),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional()
    .describe('Public URL of the service, used in links. Unset: http://HOST:PORT.'),
  DATA_DIR: z.string().min(1).default('./data')
    .describe('Folder for everything the service keeps: journal, embedded stores. One process at a time.'),
  REDIS_URL: optionalUrl(/^rediss?:\/\//, 'redis://host:6379')
    .describe('Redis 7 or Valkey. Unset: the service runs its own redis-server in DATA_DIR/redis.'),
  DATABASE_URL: optionalUrl(/^postgres(ql)?:\/\//, 'postgres://user@host:5432/name')
    .describe('PostgreSQL 15 or newer. Unset: PGlite in DATA_DIR/postgres.'),
  EVENTS_URL: optionalUrl(/^duckdb:/, 'duckdb:/path/events.duckdb')
    .describe('Analytics events. Unset: DuckDB in DATA_DIR/events.duckdb; `duckdb:/path/file` puts it elsewhere.'),
  ADMIN_API_KEY: z.string().min(32, 'must have at least 32 characters').optional()
    .describe('Accepted as an admin API key while set, so that a fresh install can be automated. 32 characters or more.'),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional()
    .describe('All keys for codes and tokens come from it; the same on every replica. Unset: one is made in DATA_DIR/auth-secret. Production needs it with DATABASE_URL.'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info')
    .describe('Least serious level that is logged (JSON lines on standard output).'),
  TRUST_PROXY: z.string().refine(areProxies, 'must list IP addresses or CIDR ranges (10.0.0.0/8), separated by commas').default('')
    .describe('Comma-separated addresses or CIDR ranges of reverse proxies whose X-Forwarded-For is believed. Empty: none.'),
  RATE_LIMIT: onOff.default(true)
    .describe('`off` lifts the rate limits, for load tests.'),
  SITE_REGISTRATION: z.enum(['open', 'closed']).default('open')
    .describe('`open`: an unknown site_id is registered when its first event arrives. `closed`: it is refused.'),
  SITE_LIMIT: z.coerce.number().int().min(1).max(100_000).default(1000)
    .describe('Most sites that open registration may create.'),
  DEDUPE_WINDOW_HOURS: z.coerce.number().int().min(1).max(168).default(24)
    .describe('How long a client-supplied event id is remembered, in hours.'),
  JOURNAL_SEGMENT_SIZE: bytes.default(32 * 1024 ** 2)
    .describe('Size at which the journal begins a new segment file.'),
  JOURNAL_BACKLOG_LIMIT: bytes.default(1024 ** 3)
    .describe('Most journal bytes that may wait for the event store; above it ingest answers 503.'),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).max(60_000).default(0)
    .describe('Milliseconds between "ready" turning 503 and closing the listener, for load balancers that poll.'),
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

const placeholder = /change.?me|placeholder|example|secret|password|^(.)\1+$/i;

const secrets = ['ADMIN_API_KEY', 'AUTH_SECRET'] as const;

function productionMistakes(config: Config): ConfigMistake[] {
  if (config.NODE_ENV !== 'production') return [];
  const placeholders = secrets.filter((variable) => placeholder.test(config[variable] ?? ''))
    .map((variable) => ({ variable, message: 'is a placeholder; production needs a random one (openssl rand -hex 32)' }));
  // Replicas share the database but no folder: each would make a secret that the others don't know.
  const isShared = config.DATABASE_URL !== undefined && config.AUTH_SECRET === undefined;
  return isShared ? [...placeholders, { variable: 'AUTH_SECRET', message: 'is missing; production with DATABASE_URL needs one (openssl rand -hex 32)' }] : placeholders;
}

/**
 * Reads the settings from `env` (empty strings count as unset).
 * Throws a ConfigError with one entry for each mistake; values are never repeated in it.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = configSchema.safeParse(given);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => ({ variable: issue.path.join('.'), message: issue.message })));
  }
  const mistakes = productionMistakes(result.data);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.freeze(result.data);
}

/** The public URL without a slash at the end. */
export function baseUrlOf(config: Config): string {
  return (config.BASE_URL ?? `http://${config.HOST}:${config.PORT}`).replace(/\/$/, '');
}
