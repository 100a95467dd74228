import { z } from 'zod';
import { isProxyList } from '../../lib/net/proxy-lists.ts';
import { integer, onOff, optionalUrl, origins } from './value-schemas.ts';

/** Settings of the process: its addresses, names and data folder. */
export const serverSettings = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe(
      '`production` rejects missing and guessable secrets. `development` enables ' +
        'conveniences for requests from this machine, as long as HOST and BASE_URL are ' +
        'loopback addresses and TRUST_PROXY is empty.',
    ),
  PORT: integer(0, 65535).default(3000).describe('TCP port to listen on. 0 picks a free port.'),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on. `0.0.0.0` or `::` means all interfaces.'),
  HEALTH_PORT: integer(0, 65535)
    .optional()
    .describe(
      'TCP port of a second listener that serves only health probes (/api/health and ' +
        'below). It starts before the stores are opened and stops when the process exits. ' +
        '0 picks a free port. Unset: none.',
    ),
  HEALTH_HOST: z
    .string()
    .min(1)
    .optional()
    .describe('Address of the health listener. Unset: same as HOST.'),
  REPLICA_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, dashes or underscores')
    .optional()
    .describe(
      'Name of this replica, shown as `replica` in each log line and to admins in ' +
        '/api/health. Unset: the hostname and a few random characters, different after each ' +
        'restart.',
    ),
  RELEASE_ID: z
    .string()
    .regex(
      /^[\w.+-]{1,64}$/,
      'must have 1 to 64 letters, digits, dots, dashes, underscores or plus signs',
    )
    .optional()
    .describe('Identifies this build in /api/health, for example the commit.'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Public URL of the service, used in links. Passkeys are tied to its host name: after ' +
        'a change, users must add new ones. Unset: http://HOST:PORT.',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe(
      'Folder for all of the service’s data: the journal and embedded stores. Only one ' +
        'process can use it at a time.',
    ),
};

/** Settings of the stores. */
export const storeSettings = {
  REDIS_URL: optionalUrl(/^rediss?:\/\//, 'redis://host:6379').describe(
    'Redis 7 or Valkey. Unset: the service runs its own redis-server in DATA_DIR/redis.',
  ),
  DATABASE_URL: optionalUrl(/^postgres(ql)?:\/\//, 'postgres://user@host:5432/name').describe(
    'PostgreSQL 15 or newer. Unset: PGlite in DATA_DIR/postgres.',
  ),
  DATABASE_POOL_SIZE: integer(1, 500)
    .default(10)
    .describe(
      'Maximum number of connections that this process opens to DATABASE_URL. All ' +
        "replicas together must stay below the database server's connection limit.",
    ),
  STORE_WAIT_SECONDS: integer(0, 3600)
    .default(30)
    .describe(
      'How long the service waits at startup if Redis or PostgreSQL is unreachable. ' +
        'While waiting, it logs the problem, and `ready` reports `starting` on ' +
        'HEALTH_PORT. If the wait times out, the process exits with code 1.',
    ),
  EVENTS_URL: optionalUrl(/^duckdb:/, 'duckdb:/path/events.duckdb').describe(
    'Where analytics events are stored, for example `duckdb:/path/file`. Unset: DuckDB in ' +
      'DATA_DIR/events.duckdb.',
  ),
};

/** Settings of logging and rate limits. */
export const requestSettings = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum severity of logged messages (JSON lines on standard output).'),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList, 'must list IP addresses or CIDR ranges (10.0.0.0/8), separated by commas')
    .default('')
    .describe(
      'Comma-separated addresses or CIDR ranges of reverse proxies whose X-Forwarded-For ' +
        'header is trusted. Empty: none.',
    ),
  RATE_LIMIT: onOff.default(true).describe('`off` removes the rate limits, for load tests.'),
};

/** Settings of cross-origin access, sockets and the shutdown. */
export const connectionSettings = {
  APP_ORIGINS: origins
    .default([])
    .describe(
      'Comma-separated origins of single-page apps, other than the service itself, that can ' +
        'sign people in and send requests with their tokens, never with cookies. Empty: none.',
    ),
  WS_ORIGINS: origins
    .default([])
    .describe(
      'Comma-separated origins, other than the service itself, whose pages can open the ' +
        'sockets under /ws/ with the session of the signed-in user.',
    ),
  WS_CONNECTION_LIMIT: integer(1, 1_000_000)
    .default(50_000)
    .describe('Maximum number of open sockets in this process. Further handshakes get 503.'),
  SHUTDOWN_GRACE_MS: integer(0, 60_000)
    .default(0)
    .describe(
      'Milliseconds between `ready` first returning 503 and the listener closing, so ' +
        'that load balancers that poll `ready` can react.',
    ),
};
