import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { registerAnalytics } from '../areas/analytics/plugin.ts';
import { startTimers } from '../areas/analytics/timers.ts';
import { spawnWorker, type WorkerFactory } from '../areas/analytics/worker/worker-factory.ts';
import { registerApiKeys } from '../areas/api-keys/plugin.ts';
import { registerAudit } from '../areas/audit/plugin.ts';
import { registerDevelopment } from '../areas/dev-mode/plugin.ts';
import { registerComms } from '../areas/comms/plugin.ts';
import { registerContact } from '../areas/contact/plugin.ts';
import { registerDeliverability } from '../areas/deliverability/plugin.ts';
import { registerGeoip } from '../areas/geoip/plugin.ts';
import { registerHealth } from '../areas/health/plugin.ts';
import { registerIdentity } from '../areas/identity/plugin.ts';
import { registerJobs } from '../areas/jobs/plugin.ts';
import { registerNfc } from '../areas/nfc/plugin.ts';
import { registerPayments } from '../areas/payments/plugin.ts';
import { registerSettings } from '../areas/settings/plugin.ts';
import { registerSignup } from '../areas/signup/plugin.ts';
import { registerStatus } from '../areas/status/plugin.ts';
import { registerQr } from '../areas/qr/plugin.ts';
import { registerWaitlist } from '../areas/waitlist/plugin.ts';
import { type Config } from '../config.ts';
import { type BrandReader, brandOf } from '../platform/brand/brand.ts';
import { baseUrlOf } from '../platform/settings/base-url.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { loadCookies } from '../platform/http/cookies.ts';
import { createFastify } from '../platform/http/fastify.ts';
import { rateLimit } from '../platform/http/limits/rate-limit.ts';
import { type Assets, loadAssets } from '../platform/ui/assets.ts';
import { registerApiReference } from '../platform/openapi/openapi.ts';
import { createLogger } from '../platform/process/logger.ts';
import { openResources } from './resources.ts';
import { createServices, type Services } from './services.ts';
import { openStores, type Stores } from './stores.ts';
import { registerSurfaces } from './surface-routes.ts';
import type { ExtendMcp } from '../surfaces/mcp/service.ts';
import { releaseOf, version } from './version.ts';

export interface Overrides {
  clock?: Clock;
  logger?: Logger;
  /** Creates the event store's thread. Default: from `worker.js` next to the running file. */
  newWorker?: WorkerFactory;
  /**
   * Folder of the built page scripts, with a trailing slash. Default: `web/` next to the running
   * file.
   */
  webFolder?: URL;
  /**
   * Folder of static files, with a trailing slash. Default: `public/` next to the running file's
   * folder.
   */
  publicFolder?: URL;
  /** Adds to what the Model Context Protocol offers. For tests. */
  extendMcp?: ExtendMcp | undefined;
  /** Keeps messages without a provider in the outbox, regardless of the settings. For tests. */
  keepsMessages?: boolean;
}

export interface App {
  http: FastifyInstance;
  services: Services;
  stores: Stores;
}

/**
 * Milliseconds that closing waits for the event store to read the journal. The next start reads the
 * rest.
 */
const drainLimitMs = 4000;

interface Context {
  config: Config;
  services: Services;
  logger: Logger;
  folders: { webFolder: URL; publicFolder: URL };
}

/** Registers the areas. The plugin of each one defines who may call its routes. */
function registerAreas(http: FastifyInstance, { config, services, folders }: Context): void {
  registerAnalytics(http, { ...services, ...folders });
  registerApiKeys(http, services);
  registerAudit(http, services);
  registerComms(http, services);
  registerContact(http, services);
  registerDeliverability(http, services);
  registerDevelopment(http, {
    ...services,
    environment: config.NODE_ENV,
    stores: config,
    version,
  });
  registerGeoip(http, services);
  registerHealth(http, {
    ...services,
    realtime: services.realtime.metrics,
    release: releaseOf(config),
  });
  registerIdentity(http, services);
  registerJobs(http, services);
  registerNfc(http, services);
  registerPayments(http, services);
  registerQr(http, services);
  registerSettings(http, services);
  registerSignup(http, services);
  registerStatus(http, services);
  registerWaitlist(http, {
    ...services,
    ...folders,
    waitlistOrigins: config.WAITLIST_ORIGINS,
  });
}

/** Loads the plugins that need no store and the files of pages, while the stores open. */
async function loadPlugins(
  http: FastifyInstance,
  config: Config,
  { webFolder, brand }: { webFolder: URL; brand: BrandReader },
): Promise<Assets> {
  const assets = await loadAssets(new URL('assets/', webFolder));
  await registerApiReference(http, {
    appName: () => brand().name,
    version,
    description:
      'Sign-in, one-time codes, device security, analytics, realtime and status over HTTP. ' +
      'With samples in three languages it is at [/developer/reference](/developer/reference).',
    baseUrl: baseUrlOf(config),
  });
  await loadCookies(http);
  return assets;
}

/** Wraps a worker factory. `isRequested` resolves after its first use. */
function watchFactory(newWorker: WorkerFactory) {
  let onRequest = () => undefined;
  const isRequested = new Promise<void>(
    (resolve) => (onRequest = () => void setImmediate(resolve)),
  );
  return { isRequested, newWorker: () => (onRequest(), newWorker()) };
}

/** What closing does, in this order. */
const closing =
  ({ services, stores, stopTimers }: Omit<App, 'http'> & { stopTimers: () => void }) =>
  async (): Promise<void> => {
    stopTimers();
    services.live.stop();
    services.health.stop();
    await services.status.stop();
    await services.queues.close();
    services.bus.close();
    await services.qr.close();
    await services.audit.settled();
    await services.ingest.flushDrops();
    await stores.pipeline.drain(drainLimitMs);
    await stores.close();
  };

/**
 * Builds the service: stores, services, guard scopes, areas and surfaces. Does not listen. Rejects
 * with a readable error when a store can't be opened. `http.close()` closes everything.
 */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const {
    clock = systemClock,
    logger = createLogger({ level: config.LOG_LEVEL, replica: config.REPLICA_ID }),
    publicFolder = new URL('../public/', import.meta.url),
    webFolder = new URL('./web/', import.meta.url),
    newWorker = () => spawnWorker(new URL('./worker.js', import.meta.url)),
  } = overrides;
  const http = createFastify({ config, logger, clock, bulkScope: 'analytics:write' });
  // Opening the stores takes longest, mostly waiting for their thread once it is started.
  const thread = watchFactory(newWorker);
  const opening = openStores({ config, clock, logger, newWorker: thread.newWorker });
  await Promise.race([thread.isRequested, opening]);
  const configured = brandOf(config);
  let brand: BrandReader = () => configured;
  const plugins = loadPlugins(http, config, { webFolder, brand: () => brand() });
  // Prevents an unhandled rejection: awaited below, once the stores can be closed.
  plugins.catch(() => undefined);
  const stores = await opening;
  try {
    const assets = await plugins;
    await rateLimit(http, { redis: stores.redis, enabled: config.RATE_LIMIT });
    const resources = await openResources({ config, clock, logger, stores });
    ({ brand } = resources);
    const services = await createServices({
      resources,
      stores,
      assets,
      webFolder,
      keepsMessages: overrides.keepsMessages,
    });
    const context = { config, services, logger, folders: { webFolder, publicFolder } };
    // Both wait for the stores, in parallel to the registration of routes.
    const initialChecks = Promise.all([services.health.start(), services.status.refresh()]);
    registerAreas(http, context);
    registerSurfaces(http, { ...context, extendMcp: overrides.extendMcp });
    const stopTimers = startTimers({ ...services, logger });
    services.live.start();
    http.addHook('onReady', async () => {
      await initialChecks;
      services.status.start();
    });
    http.addHook('onClose', closing({ services, stores, stopTimers }));
    await http.ready();
    void stores.pipeline.recentIds.load();
    return { http, services, stores };
  } catch (error) {
    await stores.close();
    throw error;
  }
}
