import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ingestRoutes } from '../areas/analytics/ingest/routes.ingest.ts';
import { startTimers } from '../areas/analytics/timers.ts';
import { newThread, type NewWorker } from '../areas/analytics/worker/worker-factory.ts';
import { apiKeyRoutes } from '../areas/api-keys/routes.ts';
import { auditRoutes } from '../areas/audit/routes.ts';
import {
  devicePageRoutes,
  deviceScriptRoute,
  requestPageRoutes,
} from '../areas/blackops/pages/routes.pages.ts';
import { shortRuleRoutes, zoneRoutes } from '../areas/deliverability/routes.admin.ts';
import { deliverabilityDemoRoutes } from '../areas/deliverability/routes.demo.ts';
import { deliverabilityRoutes } from '../areas/deliverability/routes.ts';
import { geoipRoutes } from '../areas/geoip/routes.ts';
import { outboxRoutes } from '../areas/comms/routes.outbox.ts';
import { healthRoutes } from '../areas/health/routes.ts';
import { jobRoutes } from '../areas/jobs/routes.ts';
import { otpAdminRoutes } from '../areas/otp/routes.admin.ts';
import { mobileClientRoutes } from '../areas/otp/routes.ts';
import { accountFactorRoutes, accountRoutes } from '../surfaces/account/routes.account.ts';
import { passkeyScriptRoute } from '../surfaces/account/routes.assets.ts';
import { loginRoutes } from '../surfaces/account/routes.login.ts';
import { signupAdminRoutes } from '../areas/signup/routes.admin.ts';
import { signupRoutes } from '../areas/signup/routes.ts';
import { statusAdminRoutes } from '../areas/status/routes.admin.ts';
import { statusFeedRoutes } from '../areas/status/pages/routes.feeds.ts';
import { statusAssetRoutes, statusPageRoutes } from '../areas/status/pages/routes.pages.ts';
import { subscriptionRoutes } from '../areas/status/subscriptions/routes.subscriptions.ts';
import { statusRoutes } from '../areas/status/routes.ts';
import { stubRoutes } from '../areas/stubs/routes.ts';
import { asyncApi } from '../surfaces/ws/asyncapi.ts';
import { testChannelRoutes } from '../surfaces/ws/routes.trial.ts';
import { wsRoutes } from '../surfaces/ws/routes.ts';
import { registerFigures } from './analytics-routes.ts';
import { baseUrlOf, type Config } from '../config.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { refuseRepeatedMembers } from '../platform/http/body-parsers.ts';
import { loadCookies } from '../platform/http/cookies.ts';
import { developmentOf } from '../platform/process/development.ts';
import { formAssets } from '../platform/ui/form-style.ts';
import { createFastify } from '../platform/http/fastify.ts';
import { createLogger } from '../platform/process/logger.ts';
import { registerApiReference } from '../platform/openapi/openapi.ts';
import { pageAssets } from '../platform/ui/page-scope.ts';
import { rateLimit } from '../platform/http/rate-limit.ts';
import { scope } from '../platform/http/scopes.ts';
import { createServices, type Services } from './services.ts';
import { openStores, type Stores } from './stores.ts';
import { version } from './version.ts';
import { registerSignIn } from './sign-in-routes.ts';
import { registerSurfaces } from './surface-routes.ts';

export interface Overrides {
  clock?: Clock;
  logger?: Logger;
  /** Gives the thread of the event store. Default: of `worker.js` beside the running file. */
  newWorker?: NewWorker;
  /** The folder of the built scripts of pages, with a slash at its end. Default: `web/` beside the running file. */
  webFolder?: URL;
  /** The folder of files that are served as they are, with a slash at its end. Default: `public/` beside the folder of the running file. */
  publicFolder?: URL;
  /** Messages that no provider sends are kept in the outbox, whatever the settings say: for tests. */
  keepsMessages?: boolean;
}

export interface App {
  http: FastifyInstance;
  services: Services;
  stores: Stores;
}

/** How long closing waits for the event store to take what is in the journal; the rest is taken after the next start. */
const drainLimitMs = 4000;

const tags = [
  { name: 'analytics', description: 'Events in, figures out.' },
  { name: 'api-keys', description: 'Keys for programs.' },
  { name: 'auth', description: 'Sign-in, sessions and tokens.' },
  { name: 'otp', description: 'One-time codes by SMS and e-mail.' },
  { name: 'second-factor', description: 'Authenticator apps, passkeys and backup codes.' },
  { name: 'blackops', description: 'Device security: which devices may do what admins do.' },
  { name: 'pages', description: 'Pages for people.' },
  { name: 'payments', description: 'What the payment provider reports.' },
  { name: 'audit', description: 'Who did what.' },
  { name: 'jobs', description: 'What runs in the background.' },
  { name: 'health', description: 'Probes.' },
  { name: 'status', description: 'The state of the service for the public.' },
  { name: 'realtime', description: 'Sockets, and what tries them out.' },
  { name: 'signup', description: 'Who wants to use the service.' },
  { name: 'deliverability', description: 'Where parcels go.' },
  { name: 'geoip', description: 'Where addresses are.' },
  { name: 'graphql', description: 'The same services by GraphQL.' },
  { name: 'mcp', description: 'The Model Context Protocol, for assistants and agents.' },
  { name: 'stubs', description: 'Paths whose area is still to come.' },
];

function registerAreas(
  http: FastifyInstance,
  config: Config,
  clock: Clock,
  services: Services,
): void {
  const { guards, deviceGuards } = services;
  const admin = guards.requireScope('admin');

  scope(http, 'public', guards.optional(), (open) => {
    open.register(ingestRoutes, { prefix: '/analytics', ...services });
    open.register(statusRoutes, { prefix: '/api/status', ...services });
    open.register(outboxRoutes, { prefix: '/dev/outbox', ...services });
    open.register(testChannelRoutes, {
      prefix: '/realtime',
      ...services,
      asyncApi: () => asyncApi({ baseUrl: baseUrlOf(config), version }),
    });
    open.register(geoipRoutes, services);
    open.register(deliverabilityRoutes, services);
    open.register(stubRoutes, { ...services, environment: config.NODE_ENV, version });
  });
  // No guard: the probes of the process and its readiness look at nobody's credentials.
  scope(
    http,
    'public',
    undefined,
    (open) =>
      void open.register(healthRoutes, {
        prefix: '/api/health',
        ...services,
        release: { version, releaseId: config.RELEASE_ID, replica: config.REPLICA_ID },
        clock,
        realtime: services.realtime.figures,
      }),
  );
  // No guard: a handshake is looked at by the sockets themselves, for it may be the page of another site that opens one.
  scope(http, 'public', undefined, (open) => void open.register(wsRoutes, services));
  registerSignIn(http, clock, services, {
    prefix: '/api/auth',
    auth: 'auth',
    otp: 'otp',
    factor: 'secondFactor',
    devices: 'blackops',
  });
  registerSignIn(http, clock, services, {
    prefix: '/auth',
    auth: 'authShort',
    otp: 'otpShort',
    factor: 'secondFactorShort',
    devices: 'blackopsShort',
  });
  scope(http, 'public', undefined, (open) => {
    refuseRepeatedMembers(open);
    open.register(pageAssets);
    open.register(passkeyScriptRoute);
    open.register(deviceScriptRoute);
    open.register(statusAssetRoutes);
    open.register(statusPageRoutes, { prefix: '/status', clock, ...services });
    open.register(statusFeedRoutes, { prefix: '/status', clock, ...services });
    open.register(subscriptionRoutes, { prefix: '/status', ...services });
    open.register(formAssets);
    open.register(deliverabilityDemoRoutes, services);
    open.register(signupRoutes, { prefix: '/signup', ...services });
    open.register(mobileClientRoutes, {
      prefix: '/api/cmyk/auth/otp',
      operations: 'otp',
      clock,
      ...services,
    });
  });
  scope(http, 'public', guards.sameOrigin(), (open) => {
    refuseRepeatedMembers(open);
    open.register(loginRoutes, { clock, ...services });
    scope(
      open,
      'signed-in',
      guards.signedIn(),
      (own) => void own.register(accountRoutes, { prefix: '/account', clock, ...services }),
    );
    scope(
      open,
      'fresh',
      guards.fresh(),
      (fresh) =>
        void fresh.register(accountFactorRoutes, { prefix: '/account', clock, ...services }),
    );
    scope(
      open,
      'signed-in',
      guards.signedIn(),
      (own) =>
        void own.register(devicePageRoutes, { prefix: '/account/devices', clock, ...services }),
    );
    scope(open, 'admin', admin, (keys) =>
      scope(
        keys,
        'admin, cleared device',
        deviceGuards.clearedDevice(),
        (admins) =>
          void admins.register(requestPageRoutes, {
            prefix: '/account/devices/requests',
            clock,
            ...services,
          }),
      ),
    );
  });
  const cleared = deviceGuards.clearedDevice();
  registerFigures(http, services);
  scope(http, 'admin', admin, (keys) =>
    scope(keys, 'admin, cleared device', cleared, (admins) => {
      admins.register(apiKeyRoutes, { prefix: '/api/v1/api-keys', ...services });
      admins.register(auditRoutes, { prefix: '/api/v1/audit', ...services });
      admins.register(jobRoutes, { prefix: '/api/v1/jobs', ...services });
      admins.register(statusAdminRoutes, { prefix: '/api/v1/status', ...services });
      admins.register(zoneRoutes, { prefix: '/api/v1/deliverability/zones', ...services });
      admins.register(shortRuleRoutes, services);
      admins.register(signupAdminRoutes, { prefix: '/api/v1/signups', ...services });
      admins.register(otpAdminRoutes, { prefix: '/api/v1/one-time-codes', clock, ...services });
    }),
  );
}

/** What needs no store, and is loaded while they open. */
async function loadPlugins(http: FastifyInstance, config: Config): Promise<void> {
  await registerApiReference(http, {
    baseUrl: baseUrlOf(config),
    tags,
    isMadeAhead: config.NODE_ENV === 'production',
  });
  await loadCookies(http);
}

/** The same, and when it was first used. */
function watched(newWorker: NewWorker) {
  let asked = () => undefined;
  const wasAskedFor = new Promise<void>((resolve) => (asked = () => void setImmediate(resolve)));
  return { wasAskedFor, newWorker: () => (asked(), newWorker()) };
}

/**
 * Puts the service together: stores, services, guard scopes, one line for each area. It does not listen.
 * Rejects with a readable error when a store can't be opened. `http.close()` closes everything.
 */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const {
    clock = systemClock,
    logger = createLogger({ level: config.LOG_LEVEL, replica: config.REPLICA_ID }),
  } = overrides;
  const {
    publicFolder = new URL('../public/', import.meta.url),
    webFolder = new URL('./web/', import.meta.url),
    newWorker = () => newThread(new URL('./worker.js', import.meta.url)),
  } = overrides;
  const http = createFastify({ config, logger, clock });
  // The stores take longest, and most of that is waiting: for their thread, once it is asked for.
  const thread = watched(newWorker);
  const opening = openStores({ config, clock, logger, newWorker: thread.newWorker });
  await Promise.race([thread.wasAskedFor, opening]);
  const plugins = loadPlugins(http, config);
  // Looked at only once there are stores to close.
  plugins.catch(() => undefined);
  const stores = await opening;
  try {
    await plugins;
    await rateLimit(http, { redis: stores.redis, enabled: config.RATE_LIMIT });
    const services = await createServices({
      config,
      clock,
      logger,
      stores,
      webFolder,
      development: developmentOf(config),
      keepsMessages: overrides.keepsMessages,
    });
    // Both wait for the stores, which they can do while routes are put together.
    const looking = Promise.all([services.health.start(), services.status.refresh()]);
    registerAreas(http, config, clock, services);
    registerSurfaces(http, { config, clock, logger, services, webFolder, publicFolder });
    const stopTimers = startTimers({ ...services, logger });
    services.live.start();
    http.addHook('onReady', async () => {
      await looking;
      services.status.start();
    });
    http.addHook('onClose', async () => {
      stopTimers();
      services.live.stop();
      services.health.stop();
      await services.status.stop();
      await services.queues.close();
      services.bus.close();
      await services.audit.settled();
      await services.ingest.flushDrops();
      await stores.pipeline.drain(drainLimitMs);
      await stores.close();
    });
    await http.ready();
    void stores.pipeline.remembered.load();
    return { http, services, stores };
  } catch (error) {
    await stores.close();
    throw error;
  }
}
