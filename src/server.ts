import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type App, buildApp } from './app/app.ts';
import type { WorkerFactory } from './areas/analytics/worker/worker-factory.ts';
import { createProbeListener } from './areas/health/probe-listener.ts';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { baseUrlOf } from './platform/settings/base-url.ts';
import { type Connections, createConnections } from './platform/http/connections/connections.ts';
import { givenSettings } from './platform/settings/given-settings.ts';
import { renamedSettings } from './platform/settings/renamed.ts';
import { createShutdown } from './platform/process/shutdown.ts';
import { createLogger } from './platform/process/logger.ts';

const closeLimitMs = 9500;
/** Milliseconds that the event store's thread may take to abort its work. */
const haltLimitMs = 3000;
/** Milliseconds that running requests may take after the service begins to stop. */
const requestLimitMs = 4000;
/** Milliseconds that unused connections stay open at shutdown: a request may be on its way. */
const unusedLimitMs = 1000;

function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Default replica id. The pid does not help, as it is 1 in every container; host names may repeat.
 */
const randomReplicaId = (): string =>
  `${hostname()
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 57)}-${randomBytes(3).toString('hex')}`;

function readConfig(): Config {
  const given = givenSettings(process.env);
  for (const { variable, message } of renamedSettings(given)) printLine(`${variable} ${message}`);
  try {
    return parseConfig({ REPLICA_ID: randomReplicaId(), ...given });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { variable, message } of error.mistakes) printLine(`${variable} ${message}`);
    printLine('The service was not started. docs/configuration.md explains every setting.');
    process.exit(1);
  }
}

/** Opens the second listener, if configured, before the stores. */
async function openProbes({ HEALTH_PORT, HEALTH_HOST, HOST }: Config) {
  if (HEALTH_PORT === undefined) return undefined;
  const host = HEALTH_HOST ?? HOST;
  const listener = createProbeListener();
  const port = await listener.listen(HEALTH_PORT, host);
  return { listener, base: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}

/** Closes the listener, then waits for connections, sockets, requests and jobs. */
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

/** The running app and its connections. */
interface Running {
  app: App;
  connections: Connections;
}

/**
 * Ends the process on signals and uncaught errors. A signal during the start waits for `running`; a
 * failed start exits separately.
 */
function endOnSignals(config: Config, logger: Logger, running: Promise<Running>): void {
  async function stopGracefully(signal: NodeJS.Signals): Promise<void> {
    const { app, connections } = await running;
    app.services.health.drain();
    connections.windDown();
    logger.info({ signal }, 'stopping: not ready anymore, finishing pending work');
    await delay(config.SHUTDOWN_GRACE_MS);
    await close(app.http, connections);
    logger.info('stopped');
  }

  async function prepareExit(): Promise<void> {
    // SIGKILL loses no acknowledged event. Exiting while the event store's thread is working would
    // abort.
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
    onForce: (reason, err) => logger.error({ err }, `${reason}: ending immediately`),
  });
  process.on('SIGTERM', ending.signal);
  process.on('SIGINT', ending.signal);
  process.on('uncaughtException', (error) => ending.fail('an error that nobody has caught', error));
}

/** Builds the app and listens. Closes the app again when it can't listen. */
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

/** Returns the link for the first admin, if there is no admin yet. A failure is logged only. */
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
  printLine(
    `\nReady after ${((performance.now() - began) / 1000).toFixed(2)} s\n` +
      `${urlTable(base, probes?.base)}\n`,
  );
  for (const { variable, message } of services.health.warnings)
    printLine(`Warning: ${variable} ${message}`);
  if (
    config.NODE_ENV === 'production' &&
    services.resources.live().siteRegistration === 'closed' &&
    services.sites.list().length === 0
  ) {
    printLine(
      'No site is registered, and events of unknown sites are refused. ' +
        'Register yours in the console (Sites),\n' +
        'with POST /analytics/sites/, or set SITE_REGISTRATION=open to have sites ' +
        'registered by their first event.\n',
    );
  }
  if (services.developmentNotice !== undefined) printLine(`${services.developmentNotice}\n`);
  if (link !== undefined)
    printLine(
      `Nobody is an admin yet. Become the first one, within 30 minutes, once:\n  ${link}\n`,
    );
}

/**
 * Runs the service with the settings of the environment until a signal ends it. `newWorker` creates
 * the event store's thread. A failed start is reported on standard error, with exit code 1.
 */
export function serve(newWorker: WorkerFactory): void {
  // Files of this process, its redis-server and its stores are private to its user.
  process.umask(0o077);
  main(newWorker, performance.now()).catch((error: unknown) => {
    printLine(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
}
