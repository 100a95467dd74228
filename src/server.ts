import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { siteRegistrationOf } from './areas/analytics/compose.ts';
import { type App, buildApp } from './app/app.ts';
import type { WorkerFactory } from './areas/analytics/worker/worker-factory.ts';
import { createProbeListener } from './areas/health/probe-listener.ts';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { baseUrlOf } from './platform/settings/base-url.ts';
import { type Connections, createConnections } from './platform/http/connections/connections.ts';
import { createShutdown } from './platform/process/shutdown.ts';
import { createLogger } from './platform/process/logger.ts';

const closeLimitMs = 9500;
/** How long the event store's thread may take to break off what it is doing. */
const haltLimitMs = 3000;
/** How long requests that are under way may still take when the service stops. */
const requestLimitMs = 4000;
/** How long a connection without a request may stay at shutdown: one may be on its way. */
const unusedLimitMs = 1000;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Default replica id: containers are all process 1, and may share a host name. */
const anyReplicaId = (): string =>
  `${hostname()
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 57)}-${randomBytes(3).toString('hex')}`;

function readConfig(): Config {
  const { REPLICA_ID: id = '' } = process.env;
  try {
    return parseConfig({ ...process.env, REPLICA_ID: id === '' ? anyReplicaId() : id });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { variable, message } of error.mistakes) say(`${variable} ${message}`);
    say('The service was not started. docs/configuration.md explains every setting.');
    process.exit(1);
  }
}

/** The second listener, where one is wanted, open before the stores are. */
async function openProbes({ HEALTH_PORT, HEALTH_HOST, HOST }: Config) {
  if (HEALTH_PORT === undefined) return undefined;
  const host = HEALTH_HOST ?? HOST;
  const listener = createProbeListener();
  const port = await listener.listen(HEALTH_PORT, host);
  return { listener, base: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}

/** Closes to the outside: connections first, then sockets, requests and jobs under way. */
async function close(http: App['http'], connections: Connections): Promise<void> {
  setTimeout(() => connections.dropUnused(), unusedLimitMs).unref();
  setTimeout(() => connections.dropAll(), requestLimitMs).unref();
  http.server.close();
  await http.close();
}

function urlTable(base: string, probes: string | undefined): string {
  const rows = [
    ['Home', `${base}/`],
    ['Developers', `${base}/developer/`],
    ['Events', `${base}/analytics/track/`],
    ['Pixel', `${base}/analytics/pixel.gif?site=my-site&page=/`],
    ['Figures', `${base}/analytics/dashboard/?site_id=my-site`],
    ['Sign-in', `${base}/login`],
    ['Console', `${base}/api/svc/console/`],
    ['Devices', `${base}/account/devices`],
    ['API reference', `${base}/developer/reference`],
    ['GraphQL', `${base}/api/graphql/`],
    ['MCP', `${base}/api/v2/mcp/`],
    ['Health', `${base}/api/health`],
    ['Status', `${base}/status`],
    ['Realtime', `${base.replace(/^http/, 'ws')}/ws/status/`],
    ...(probes === undefined ? [] : [['Probes', `${probes}/api/health/ready`]]),
  ];
  return rows.map(([name = '', url = '']) => `  ${name.padEnd(14)} ${url}`).join('\n');
}

/** What is there to be ended. */
interface Running {
  app: App;
  connections: Connections;
}

/**
 * Ends the process for the signals that it gets, and after errors that nobody has caught. A signal
 * that comes during the start waits for `running`; a start that fails ends the process by itself.
 */
function endOnSignals(config: Config, logger: Logger, running: Promise<Running>): void {
  async function stopGracefully(signal: NodeJS.Signals): Promise<void> {
    const { app, connections } = await running;
    app.services.health.drain();
    connections.windDown();
    logger.info({ signal }, 'stopping: not ready any more, finishing what is under way');
    await delay(config.SHUTDOWN_GRACE_MS);
    await close(app.http, connections);
    logger.info('stopped');
  }

  async function prepareExit(): Promise<void> {
    // SIGKILL loses nothing that was acknowledged; an exit while the event store's thread is at
    // work would be an abort.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), haltLimitMs);
    const { app } = await running;
    await app.stores.halt();
  }

  const ending = createShutdown({
    now: () => performance.now(),
    limitMs: closeLimitMs + config.SHUTDOWN_GRACE_MS,
    stopGracefully,
    prepareExit,
    exit: (code) => process.exit(code),
    onForce: (reason, err) => logger.error({ err }, `${reason}: ending at once`),
  });
  process.on('SIGTERM', ending.signal);
  process.on('SIGINT', ending.signal);
  process.on('uncaughtException', (error) => ending.fail('an error that nobody has caught', error));
}

/** Builds the app and listens. What was opened is closed again when it can't. */
async function start(config: Config, logger: Logger, newWorker: WorkerFactory): Promise<Running> {
  const app = await buildApp(config, { logger, newWorker });
  const connections = createConnections(app.http.server);
  try {
    await app.http.listen({ port: config.PORT, host: config.HOST });
    return { app, connections };
  } catch (error) {
    await app.http.close();
    throw error;
  }
}

/** The link for the first admin, where there is none; a failure is no reason not to serve. */
async function offerFirstAdmin(
  services: App['services'],
  base: string,
  logger: Logger,
): Promise<string | undefined> {
  return services.firstAdmin.offer(base).catch((err: unknown) => {
    logger.warn({ err }, 'no first-admin link could be made');
    return undefined;
  });
}

async function main(newWorker: WorkerFactory, began: number): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ level: config.LOG_LEVEL, replica: config.REPLICA_ID });
  const probes = await openProbes(config);
  const running = start(config, logger, newWorker);
  endOnSignals(
    config,
    logger,
    running.catch(() => new Promise<never>(() => undefined)),
  );
  const {
    app: { http, services, stores },
  } = await running;
  probes?.listener.serve((request, response) => http.routing(request, response));
  void services.queues.start();
  const address = http.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT;
  const base = baseUrlOf({ ...config, PORT: port });
  const link = await offerFirstAdmin(services, base, logger);
  logger.info({ ms: Math.round(performance.now() - began), opened_ms: stores.timings }, 'ready');
  say(
    `\nReady after ${((performance.now() - began) / 1000).toFixed(2)} s\n` +
      `${urlTable(base, probes?.base)}\n`,
  );
  for (const { variable, message } of services.health.warnings)
    say(`Warning: ${variable} ${message}`);
  if (
    config.NODE_ENV === 'production' &&
    siteRegistrationOf(config) === 'closed' &&
    services.sites.list().length === 0
  ) {
    say(
      'No site is registered, and events of unknown sites are refused. ' +
        'Register yours in the console (Sites),\n' +
        'with POST /analytics/sites/, or set SITE_REGISTRATION=open to have sites ' +
        'registered by their first event.\n',
    );
  }
  if (services.developmentNotice !== undefined) say(`${services.developmentNotice}\n`);
  if (link !== undefined)
    say(`Nobody is an admin yet. Become the first one, within 30 minutes, once:\n  ${link}\n`);
}

/**
 * Runs the service with the settings of the environment until a signal ends it. `newWorker` gives
 * the event store's thread. What hinders a start is said on standard error, and the process ends
 * with 1.
 */
export function serve(newWorker: WorkerFactory): void {
  // Whatever this process, its redis-server and its stores make is for its own user alone.
  process.umask(0o077);
  main(newWorker, performance.now()).catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
}
