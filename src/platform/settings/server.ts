import { z } from 'zod';
import { areProxies } from '../../lib/net/proxy-lists.ts';
import { integer, onOff, optionalUrl, origins } from './value-schemas.ts';

/** Settings of the process: its addresses, names and data folder. */
export const serverSettings = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe(
      '`production` refuses missing and guessable secrets. `development` allows conveniences ' +
        'to requests from this machine, as long as HOST and BASE_URL are loopback and ' +
        'TRUST_PROXY is empty.',
    ),
  PORT: integer(0, 65535).default(3000).describe('TCP port to listen on; 0 picks a free one.'),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on. `0.0.0.0` or `::` for all interfaces.'),
  HEALTH_PORT: integer(0, 65535)
    .optional()
    .describe(
      'TCP port of a second listener for probes alone (/api/health and below); it opens before ' +
        'the stores do and stays until the process ends. 0 picks a free one. Unset: none.',
    ),
  HEALTH_HOST: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Address of that listener. Unset: HOST, for probes come from where requests come from: ' +
        'another container, or this machine.',
    ),
  REPLICA_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, dashes or underscores')
    .optional()
    .describe(
      'What this replica is called: `replica` in every line of its log, and in /api/health for ' +
        'admins. Unset: the host name and a few random characters, new at every start.',
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
      'Public URL of the service, used in links. Passkeys belong to its host name: after a ' +
        'change they have to be made anew. Unset: http://HOST:PORT.',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe(
      'Folder for everything the service keeps: journal, embedded stores. One process at a time.',
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
      'Connections that this process opens to DATABASE_URL at most. All replicas together must ' +
        'stay below what the server allows.',
    ),
  STORE_WAIT_SECONDS: integer(0, 3600)
    .default(30)
    .describe(
      'How long a start waits for a Redis or PostgreSQL that is away; the log says so, and ' +
        '`ready` says `starting` on HEALTH_PORT. After that the process ends with 1.',
    ),
  EVENTS_URL: optionalUrl(/^duckdb:/, 'duckdb:/path/events.duckdb').describe(
    'Analytics events. Unset: DuckDB in DATA_DIR/events.duckdb; `duckdb:/path/file` puts it ' +
      'elsewhere.',
  ),
};

/** Settings of logging and rate limits. */
export const requestSettings = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least serious level that is logged (JSON lines on standard output).'),
  TRUST_PROXY: z
    .string()
    .refine(areProxies, 'must list IP addresses or CIDR ranges (10.0.0.0/8), separated by commas')
    .default('')
    .describe(
      'Comma-separated addresses or CIDR ranges of reverse proxies whose X-Forwarded-For is ' +
        'believed. Empty: none.',
    ),
  RATE_LIMIT: onOff.default(true).describe('`off` lifts the rate limits, for load tests.'),
};

/** Settings of cross-origin access, sockets and the shutdown. */
export const connectionSettings = {
  APP_ORIGINS: origins
    .default([])
    .describe(
      'Comma-separated origins of single-page apps, besides the own one, whose pages may sign ' +
        'people in and call with their tokens, never with cookies. Empty: none.',
    ),
  WS_ORIGINS: origins
    .default([])
    .describe(
      'Comma-separated origins, besides the own one, whose pages may open the sockets under ' +
        '/ws/ with the session of whoever sits before them.',
    ),
  WS_CONNECTION_LIMIT: integer(1, 1_000_000)
    .default(50_000)
    .describe('Sockets that this process holds at most; further handshakes are answered 503.'),
  SHUTDOWN_GRACE_MS: integer(0, 60_000)
    .default(0)
    .describe(
      'Milliseconds between "ready" turning 503 and closing the listener, for load balancers ' +
        'that poll.',
    ),
};
