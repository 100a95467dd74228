import { createApiKeys } from '../areas/api-keys/service.ts';
import { createApiKeyStore } from '../areas/api-keys/store.ts';
import { defineAuditRetention } from '../areas/audit/jobs.ts';
import { type Audit, createAudit } from '../areas/audit/service.ts';
import { createAuditStore } from '../areas/audit/store.ts';
import { defineDeliveryCleanup } from '../areas/comms/jobs.ts';
import { createOutbox } from '../areas/comms/outbox.ts';
import { createProviders } from '../areas/comms/providers.ts';
import { createMessages } from '../areas/comms/service.ts';
import { createDeliveryStore } from '../areas/comms/store.ts';
import { createDeliverability } from '../areas/deliverability/checking.ts';
import { createPlaces } from '../areas/deliverability/places.ts';
import { createZoneStore } from '../areas/deliverability/zone-store.ts';
import { createZones } from '../areas/deliverability/zones.ts';
import { createAddressFacts } from '../areas/geoip/service.ts';
import { defineHeartbeat } from '../areas/health/jobs.ts';
import { createHealth } from '../areas/health/service.ts';
import { createJobs } from '../areas/jobs/service.ts';
import { createSessionRecords } from '../surfaces/mcp/session-records.ts';
import { codeBudgetCheck } from '../areas/otp/budget.ts';
import { emailIdentity, phoneIdentifier } from '../areas/otp/identifiers.ts';
import { createSite } from '../surfaces/pages/facts.ts';
import { createHandling } from '../areas/payments/handling.ts';
import { definePaymentRetention } from '../areas/payments/jobs.ts';
import { createPayments } from '../areas/payments/service.ts';
import { createPaymentStore } from '../areas/payments/store.ts';
import { createLibrary } from '../surfaces/developer/guide-library.ts';
import { createSignupAdmin } from '../areas/signup/admin.ts';
import { createSignups } from '../areas/signup/service.ts';
import { createSignupStore } from '../areas/signup/store.ts';
import { createDeliveryWatch, type DeliveryWatch } from '../areas/status/recording/deliveries.ts';
import { createStatus, type Status } from '../areas/status/service.ts';
import { createSubscriberAdmin } from '../areas/status/subscriptions/subscriber-admin.ts';
import { createSubscriberStore } from '../areas/status/subscriptions/subscribers.ts';
import { createSubscriptionBudget } from '../areas/status/subscriptions/subscription-budget.ts';
import { createSubscriptions } from '../areas/status/subscriptions/subscriptions.ts';
import { keepingOf } from '../areas/realtime/channels.ts';
import { createHandshakes } from '../surfaces/ws/guards.ts';
import { createIdentities } from '../surfaces/ws/identities.ts';
import { createJobNews } from '../areas/realtime/job-news.ts';
import { identitySignal } from '../platform/bus/signals.ts';
import { createRealtime } from '../surfaces/ws/service.ts';
import { baseUrlOf, type Config } from '../config.ts';
import { type Bus, createBus } from '../platform/bus/bus.ts';
import { developmentNotice } from '../platform/process/development.ts';
import { openGeoip } from '../platform/geoip.ts';
import { openKeys } from '../platform/crypto/keys.ts';
import type { Keys } from '../platform/crypto/keys.ts';
import { createQueues } from '../platform/queues/queues.ts';
import type { Queues } from '../platform/queues/queues.ts';
import { type DeliveryChecks, registerChecks } from './checks.ts';
import {
  createAccess,
  createAuth,
  createDeviceCookies,
  createIdpSignIn,
  createSignInPages,
  isBypassOpen,
  type Auth,
} from './sign-in-services.ts';
import { createAnalytics } from './analytics-services.ts';
import { createGraphqlService } from './graphql-services.ts';
import { productionWarnings } from './production.ts';
import type { Resources } from './resources.ts';
import { version } from './version.ts';

function createComms(
  { config, clock, logger, stores, development, keepsMessages = development.isOn }: Resources,
  queues: Queues,
  keys: Keys,
) {
  const outbox = createOutbox({ clock });
  const store = createDeliveryStore(stores.db);
  const providers = createProviders({ config, clock, outbox, keeps: keepsMessages });
  defineDeliveryCleanup({ queues, store, clock });
  const channels = { sms: providers.sms !== undefined, email: providers.email !== undefined };
  const kept = [
    ...(providers.email === outbox.provider ? ['e-mail'] : []),
    ...(providers.sms === outbox.provider ? ['SMS'] : []),
  ];
  return {
    outbox,
    channels,
    kept,
    messages: createMessages({
      queues,
      store,
      providers,
      keys,
      clock,
      logger,
      appName: config.APP_NAME,
    }),
  };
}

function createPlans(
  { config, clock, logger, stores }: Resources,
  { queues, audit, users }: { queues: Queues; audit: Audit } & Pick<Auth, 'users'>,
) {
  const store = createPaymentStore(stores.db);
  definePaymentRetention({ queues, store, clock });
  const handling = createHandling({ store, ownerOf: users.ownerOf, emailIdentity, clock, logger });
  return createPayments({
    store,
    handling,
    queues,
    audit,
    clock,
    logger,
    secrets: config.PAYMENTS_WEBHOOK_SECRET,
  });
}

const revokedKeySignal = 'api_key_revoked';

/** API keys. When one is revoked, every replica looks keys up again, and then at the sockets that were opened with it. */
function createRevocableKeys(
  { config, clock, stores }: Resources,
  { bus, audit }: { bus: Bus; audit: Audit },
) {
  const apiKeys = createApiKeys({
    store: createApiKeyStore(stores.db),
    clock,
    audit,
    adminKey: config.ADMIN_API_KEY,
    onRevoked(id) {
      bus.signal(revokedKeySignal, id);
      bus.signal(identitySignal, id);
    },
  });
  bus.onSignal(revokedKeySignal, apiKeys.forget);
  return apiKeys;
}

/** E-mail and SMS are on the status page where they leave the house. */
function deliveryChecks(
  { SMTP_URL: smtp, SMS_URL: sms, TWILIO_ACCOUNT_SID: twilio }: Config,
  watch: DeliveryWatch,
): DeliveryChecks {
  return {
    ...(smtp === undefined ? {} : { email: watch.check('email') }),
    ...(sms === undefined && twilio === undefined ? {} : { sms: watch.check('sms') }),
  };
}

/** Updates of the status by e-mail. */
function createStatusMail(
  { config, clock, stores }: Resources,
  {
    queues,
    keys,
    comms: { messages, channels },
    state,
  }: { queues: Queues; keys: Keys; comms: ReturnType<typeof createComms>; state: Status['state'] },
) {
  const nameOf = (id: string) =>
    state().components.find((component) => component.id === id)?.name ?? [];
  return createSubscriptions({
    store: createSubscriberStore(stores.db),
    messages,
    queues,
    keys,
    clock,
    emailIdentity,
    baseOrigin: new URL(baseUrlOf(config)).origin,
    isOpen: channels.email,
    componentNames: (ids) => ids.flatMap(nameOf),
    budget: config.RATE_LIMIT
      ? createSubscriptionBudget(stores.redis, keys('status-subscription-budget'))
      : undefined,
  });
}

/** Where parcels go, and who signs up. */
function createSiteServices(
  { config, clock, stores: { db } }: Resources,
  {
    queues,
    keys,
    audit,
    comms: { messages, channels },
  }: { queues: Queues; keys: Keys; audit: Audit; comms: ReturnType<typeof createComms> },
) {
  const [zoneStore, signupStore] = [createZoneStore(db), createSignupStore(db)];
  return {
    deliverability: createDeliverability({ store: zoneStore, places: createPlaces(), clock }),
    zones: createZones({ db, store: zoneStore, audit, clock }),
    signups: createSignups({
      store: signupStore,
      messages,
      queues,
      keys,
      clock,
      emailIdentity,
      phoneIdentifier,
      baseOrigin: new URL(baseUrlOf(config)).origin,
      isOpen: channels.email,
    }),
    signupAdmin: createSignupAdmin({ db, store: signupStore, audit }),
  };
}

/** Makes every service, in the order in which they need one another. */
export async function createServices(resources: Resources) {
  const { config, clock, logger, stores, development } = resources;
  const geoip = openGeoip();
  const bus = createBus({
    redis: stores.redis,
    place: stores.redisPlace,
    keepingOf,
    clock,
    logger,
  });
  const keys = await openKeys({ secret: config.AUTH_SECRET, dataDir: stores.dataDir.path });
  const queues = createQueues({
    connection: stores.redisPlace,
    prefix: 'jobs',
    logger,
    clock,
    onJobEnd: createJobNews(bus),
  });
  defineHeartbeat(queues);
  const auditStore = createAuditStore(stores.db);
  const audit = createAudit({ store: auditStore, clock, logger });
  const apiKeys = createRevocableKeys(resources, { bus, audit });
  defineAuditRetention(queues, { store: auditStore, clock });
  const comms = createComms(resources, queues, keys);
  const { outbox, channels, messages } = comms;
  const auth = createAuth(resources, { keys, audit, messages, queues, bus });
  const cookies = createDeviceCookies(resources, auth.devices);
  const health = createHealth({ clock, warnings: productionWarnings(config) });
  const deliveries = createDeliveryWatch({ db: stores.db, clock });
  registerChecks(health, stores, queues, {
    ...deliveryChecks(config, deliveries),
    backlogLimit: config.JOURNAL_BACKLOG_LIMIT,
    codeBudget: codeBudgetCheck(auth.codeBudget),
  });
  const analytics = await createAnalytics(resources, {
    geoip,
    bus,
    queues,
    keys,
    messages,
    channels,
    audit,
    users: auth.users,
  });
  const subscriptions = createStatusMail(resources, {
    queues,
    keys,
    comms,
    state: () => status.state(),
  });
  const status = createStatus({
    db: stores.db,
    health,
    judges: { email: deliveries.status('email'), sms: deliveries.status('sms') },
    publisher: bus,
    audit,
    clock,
    logger,
    baseUrl: baseUrlOf(config),
    name: config.APP_NAME,
    spread: () => bus.signal('status', ''),
    onUpdate: (notice) => subscriptions.notifySubscribers(notice),
  });
  bus.onSignal('status', () => void status.refresh());
  const identities = createIdentities({
    sessions: auth.sessions,
    apiKeys,
    isAnyDeviceCleared: config.DEVICE_BINDING === 'none',
  });
  const realtime = createRealtime({
    bus,
    redis: stores.redis,
    identities,
    statusSummary: status.summary,
    version: `Platform Service ${version}`,
    clock,
    logger,
    most: { all: config.WS_CONNECTION_LIMIT, ofAddress: config.RATE_LIMIT ? 1000 : Infinity },
  });
  const access = createAccess(resources, keys, { apiKeys, auth, geoip, cookies });
  return {
    development,
    developmentNotice: developmentNotice(config, development, {
      hasBypass: isBypassOpen(resources),
      kept: comms.kept,
    }),
    bus,
    keys,
    realtime,
    geoip,
    apiKeys,
    audit,
    appName: config.APP_NAME,
    ...createSite(config, baseUrlOf(config)),
    baseOrigin: new URL(baseUrlOf(config)).origin,
    queues,
    jobs: createJobs({ queues, audit }),
    messages,
    outbox,
    channels,
    ...auth,
    ...access,
    ...createIdpSignIn(resources, audit, auth, cookies),
    payments: createPlans(resources, { queues, audit, users: auth.users }),
    ...createSignInPages(resources, audit, auth, cookies),
    health,
    status,
    handshakes: createHandshakes({ ...access, identities, origins: config.WS_ORIGINS }),
    graphql: createGraphqlService(resources, {
      bus,
      identities,
      sessions: auth.sessions,
      devices: auth.devices,
      audit,
      apiKeys,
      dashboards: analytics.dashboards,
      status,
      health,
      realtime,
    }),
    mcpSessionRecords: createSessionRecords(stores.redis),
    subscriptions,
    library: await createLibrary({
      file: new URL('../guides.json', resources.webFolder),
      baseUrl: baseUrlOf(config),
    }),
    subscribers: createSubscriberAdmin({
      db: stores.db,
      store: createSubscriberStore(stores.db),
      audit,
    }),
    addressFacts: createAddressFacts({ geoip }),
    ...createSiteServices(resources, { queues, keys, audit, comms }),
    ...analytics,
  };
}

export type Services = Awaited<ReturnType<typeof createServices>>;
