import './platform/engine.ts';
import { buildApp } from './app.ts';
import { baseUrlOf, type Config, ConfigError, parseConfig } from './config.ts';
import { createLogger } from './platform/logger.ts';

const closeLimitMs = 9500;
/** How long requests that are under way may still take when the service stops. */
const requestLimitMs = 4000;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function readConfig(): Config {
  try {
    return parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { variable, message } of error.mistakes) say(`${variable} ${message}`);
    say('The service was not started. docs/configuration.md explains every setting.');
    process.exit(1);
  }
}

function urlTable(base: string): string {
  const rows = [
    ['Events', `${base}/analytics/track/`],
    ['Pixel', `${base}/analytics/pixel.gif?site=my-site&page=/`],
    ['Figures', `${base}/analytics/dashboard/?site_id=my-site`],
    ['Sign-in', `${base}/login`],
    ['Devices', `${base}/account/devices`],
    ['API reference', `${base}/api/docs`],
    ['Health', `${base}/api/health`],
    ['Status', `${base}/api/status`],
  ];
  return rows.map(([name = '', url = '']) => `  ${name.padEnd(14)} ${url}`).join('\n');
}

async function main(): Promise<void> {
  const began = performance.now();
  const config = readConfig();
  const logger = createLogger({ level: config.LOG_LEVEL });
  const { http, services, stores } = await buildApp(config, { logger });
  let ending = false;

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (ending) process.exit(1);
    ending = true;
    services.health.drain();
    logger.info({ signal }, 'stopping: not ready any more, finishing what is under way');
    setTimeout(() => {
      logger.error('could not stop in time');
      process.exit(1);
    }, closeLimitMs + config.SHUTDOWN_GRACE_MS).unref();
    await new Promise((resolve) => setTimeout(resolve, config.SHUTDOWN_GRACE_MS));
    setTimeout(() => http.server.closeAllConnections(), requestLimitMs).unref();
    await http.close();
    logger.info('stopped');
    process.exit(0);
  }

  process.on('SIGTERM', (signal) => void end(signal));
  process.on('SIGINT', (signal) => void end(signal));
  await http.listen({ port: config.PORT, host: config.HOST });
  void services.queues.start();
  const address = http.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT;
  const base = baseUrlOf({ ...config, PORT: port });
  const link = await services.firstAdmin.offer(base).catch((error: unknown) => {
    logger.warn({ err: error }, 'no first-admin link could be made');
    return undefined;
  });
  logger.info({ ms: Math.round(performance.now() - began), opened_ms: stores.timings }, 'ready');
  say(`\nReady after ${((performance.now() - began) / 1000).toFixed(2)} s\n${urlTable(base)}\n`);
  if (link !== undefined) say(`Nobody is an admin yet. Become the first one, within 30 minutes, once:\n  ${link}\n`);
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
