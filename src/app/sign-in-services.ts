import { systemActor } from '../platform/identity/actors.ts';
import { createAuditFigures } from '../areas/audit/figures.ts';
import { type Audit } from '../areas/audit/service.ts';
import { createDashboard } from '../areas/blackops/dashboard.ts';
import { deviceCookie } from '../areas/blackops/recognition/device-cookie.ts';
import { createDevicePasskeys } from '../areas/blackops/device-passkeys.ts';
import { createDeviceGuards, createProofGuards } from '../areas/blackops/guards.ts';
import { defineDeviceJobs } from '../areas/blackops/jobs.ts';
import { createRequestFacts } from '../areas/blackops/request-context.ts';
import { createDevices } from '../areas/blackops/service.ts';
import { type Messages } from '../areas/comms/service.ts';
import { announceSessions } from '../areas/auth/announced-sessions.ts';
import { createBrowserCompletion, createBrowserSignIn } from '../areas/auth/browser-sign-in.ts';
import { clearedSessionCookies, sessionCookieValues } from '../areas/auth/cookies.ts';
import { createGuards } from '../areas/auth/guards.ts';
import { createKnownDevices, type KnownDevices } from '../areas/auth/known-devices.ts';
import { createMfaTokens } from '../areas/auth/mfa-tokens.ts';
import { createSessionStore } from '../areas/auth/session-store.ts';
import { createSessions } from '../areas/auth/sessions.ts';
import { createSignIn, type MfaDue } from '../areas/auth/sign-in.ts';
import { toOtpDue, toSignInResponse, toUserClaims } from '../areas/auth/views.ts';
import { createDevBypass } from '../areas/idp/dev-bypass.ts';
import { createFirstAdmin } from '../areas/idp/first-admin.ts';
import { flowLifetimeMs } from '../areas/idp/flow.ts';
import { createFlowStore } from '../areas/idp/flow-store.ts';
import { createProvider } from '../areas/idp/provider.ts';
import { createIdp } from '../areas/idp/service.ts';
import { createCodeStore, type OtpLimits } from '../areas/otp/code-store.ts';
import { createOtpFlow } from '../areas/otp/flow.ts';
import { emailIdentity } from '../areas/otp/identifiers.ts';
import { createReopening } from '../areas/otp/reopening.ts';
import { createOtp } from '../areas/otp/service.ts';
import { createAttempts } from '../areas/second-factor/attempts.ts';
import { createBackupCodeSignIn } from '../areas/second-factor/backup-code-sign-in.ts';
import { createFactorRemoval } from '../areas/second-factor/factor-removal.ts';
import { createNote } from '../areas/second-factor/notes.ts';
import { createOwnFactors } from '../areas/second-factor/own-factors.ts';
import { createPasskeyChallenges } from '../areas/second-factor/passkey-challenges.ts';
import { createPasskeySignIn } from '../areas/second-factor/passkey-sign-in.ts';
import { createPasskeyStore } from '../areas/second-factor/passkey-store.ts';
import { createPasskeys, passkeyPatienceMs } from '../areas/second-factor/passkeys.ts';
import { relyingPartyOf } from '../areas/second-factor/relying-party.ts';
import { createSecondFactor } from '../areas/second-factor/service.ts';
import { createSecondFactorStore } from '../areas/second-factor/store.ts';
import { createAccount } from '../surfaces/account/account.ts';
import { createSignInPageFlow } from '../surfaces/account/flow.ts';
import { secondFactorPage } from '../surfaces/account/login-pages.ts';
import { createUserStore } from '../areas/users/store.ts';
import { createUsers } from '../areas/users/service.ts';
import { identitySignal } from '../platform/bus/signals.ts';
import {
  addressesOf,
  baseUrlOf,
  type Config,
  entriesOf,
  idpOf,
  lacksIdpClient,
} from '../config.ts';
import { createSeal } from '../lib/secrets/seal.ts';
import type { Development } from '../platform/process/development.ts';
import type { Keys } from '../platform/crypto/keys.ts';
import { createLayout } from '../platform/ui/pages.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Queues } from '../platform/queues/queues.ts';
import type { ApiKeys } from '../areas/api-keys/service.ts';
import type { Geoip } from '../platform/geoip.ts';
import type { Resources } from './resources.ts';

/** The last fifth of the day's codes is for accounts that there are already, half of it for known devices alone; one address gets a twentieth. */
const dailyShares = (all: number): OtpLimits['perDay'] => ({
  all,
  strangers: Math.ceil(all * 0.9),
  firstTime: Math.ceil(all * 0.8),
  ofAddress: Math.max(10, Math.ceil(all * 0.05)),
});

function otpLimits(config: Config): OtpLimits {
  const [minute, day] = [60_000, 86_400_000];
  const tries = {
    lifetimeMs: 5 * minute,
    attempts: 5,
    lock: { failures: 10, lockMs: 15 * minute, longestLockMs: day },
    guesses: { most: 100, ofDevice: 30, keptMs: 90 * day },
  };
  const most = Number.MAX_SAFE_INTEGER;
  if (!config.OTP_LIMITS)
    return {
      ...tries,
      sends: [],
      prefixPerHour: most,
      perDay: dailyShares(most),
      breaker: { sends: most, leastVerified: 0, ms: day },
    };
  return {
    ...tries,
    sends: [
      [3, minute],
      [5, 10 * minute],
      [10, day],
    ],
    prefixPerHour: config.OTP_PREFIX_LIMIT,
    perDay: dailyShares(config.OTP_DAILY_LIMIT),
    breaker: { sends: 40, leastVerified: 0.25, ms: day },
  };
}

function createFactors(
  { config, clock, stores }: Resources,
  { keys, audit, knownDevices }: { keys: Keys; audit: Audit; knownDevices: KnownDevices },
) {
  const store = createSecondFactorStore(stores.db);
  const own = createOwnFactors(store);
  const note = createNote(audit);
  const passkeys = createPasskeys({
    store: createPasskeyStore(stores.db),
    challenges: createPasskeyChallenges(stores.redis, passkeyPatienceMs),
    own,
    note,
    clock,
    relyingParty: relyingPartyOf(baseUrlOf(config), config.APP_NAME, config.APP_ORIGINS),
  });
  const secondFactor = createSecondFactor({
    store,
    own,
    passkeys,
    attempts: createAttempts(stores.redis),
    knownDevices,
    note,
    clock,
    seal: createSeal(keys('totp')),
    pepper: keys('backup-codes'),
    appName: config.APP_NAME,
  });
  return { passkeys, secondFactor };
}

/** Whether there is a sign-in without a proof, for the requests that may use it. */
export const isBypassOpen = ({ config, development }: Resources): boolean =>
  development.bypass && lacksIdpClient(config);

export function createAuth(
  resources: Resources,
  {
    keys,
    audit,
    messages,
    queues,
    bus,
  }: { keys: Keys; audit: Audit; messages: Messages; queues: Queues; bus: Bus },
) {
  const { config, clock, logger, stores } = resources;
  const userStore = createUserStore(stores.db);
  const noteSeen = (id: string) => userStore.setSeen(id, new Date(clock.now()));
  const knownDevices = createKnownDevices({
    key: keys('known-devices'),
    clock,
    redis: stores.redis,
  });
  const sessions = announceSessions(
    createSessions({
      store: createSessionStore(stores.redis, createSeal(keys('people'))),
      clock,
      key: keys('tokens'),
      findUser: (id) => userStore.find(id),
      noteSeen,
    }),
    {
      publisher: bus,
      changed: (userId) => bus.signal(identitySignal, userId),
      async forgetDevices(userId, exceptSession) {
        const user = await userStore.find(userId);
        if (user !== undefined) await knownDevices.forget(user, exceptSession);
      },
    },
  );
  const devices = createDevices({
    db: stores.db,
    redis: stores.redis,
    keys,
    clock,
    logger,
    audit,
    sessions,
    messages,
    publisher: bus,
    findUser: (id) => userStore.find(id),
    baseUrl: baseUrlOf(config),
    isDevelopment: isBypassOpen(resources),
    policy: {
      binding: config.DEVICE_BINDING,
      clearance: config.DEVICE_CLEARANCE,
      first: config.DEVICE_FIRST,
    },
  });
  defineDeviceJobs(queues, devices.sweep);
  const users = createUsers({
    store: userStore,
    clock,
    adminEmails: new Set(addressesOf(config.ADMIN_EMAILS)),
    async onChange(user) {
      // Each for itself: what the record store knows must not wait for a Redis that is away.
      const told = await Promise.allSettled([
        sessions.userChanged(user),
        user.disabledAt === null
          ? undefined
          : devices.management.revokeAll(user.id, systemActor, 'user_disabled'),
      ]);
      const failed = told.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  });
  const { passkeys, secondFactor } = createFactors(resources, { keys, audit, knownDevices });
  const mfaTokens = createMfaTokens({ seal: createSeal(keys('mfa')), redis: stores.redis, clock });
  const limits = otpLimits(config);
  const codes = createCodeStore(stores.redis, limits);
  const otp = createOtp({
    codes,
    knownDevices,
    hasAccount: async (identifier) => (await users.ownerOf(identifier)) !== undefined,
    countsAddresses: config.RATE_LIMIT,
    messages,
    audit,
    clock,
    limits,
    pepper: keys('otp'),
    host: new URL(baseUrlOf(config)).hostname,
    countries: new Set(
      config.OTP_COUNTRIES.split(',')
        .map((code) => code.trim())
        .filter((code) => code !== ''),
    ),
  });
  const signIn = createSignIn({
    users,
    sessions,
    secondFactor,
    mfaTokens,
    audit,
    onSignedIn: createReopening(otp),
    knownDevices,
  });
  const backupCodeSignIn = createBackupCodeSignIn({
    signIn,
    messages,
    clock,
    signInResponse: toSignInResponse,
    pendingUser: (token) => mfaTokens.read(token)?.userId,
  });
  const passkeySignIn = createPasskeySignIn({ signIn, signInResponse: toSignInResponse });
  const devicePasskeys = createDevicePasskeys({ passkeys, management: devices.management });
  const factorRemoval = createFactorRemoval({ sessions, devices: devices.management });
  return {
    users,
    sessions,
    devices,
    devicePasskeys,
    factorRemoval,
    secondFactor,
    passkeys,
    backupCodeSignIn,
    passkeySignIn,
    signIn,
    otp,
    knownDevices,
    codeBudget: codes,
    otpFlow: createOtpFlow({ otp, signIn, signInResponse: toSignInResponse, otpDue: toOtpDue }),
  };
}

export type Auth = ReturnType<typeof createAuth>;

/** Reads device cookies, and puts the sessions of sign-ins on their devices. */
export function createDeviceCookies({ config }: Resources, devices: Auth['devices']) {
  const cookie = deviceCookie(baseUrlOf(config).startsWith('https:'));
  return {
    deviceCookie: cookie,
    bindDevice: (userId: string, sessionId: string, header: string | undefined) =>
      devices.bindAtSignIn(userId, sessionId, cookie.read(header)),
  };
}

type DeviceCookies = ReturnType<typeof createDeviceCookies>;

export function createIdpSignIn(
  resources: Resources,
  audit: Audit,
  {
    users,
    sessions,
    devices,
    signIn,
    knownDevices,
  }: Pick<Auth, 'users' | 'sessions' | 'devices' | 'signIn' | 'knownDevices'>,
  { bindDevice }: DeviceCookies,
) {
  const { config, clock, stores, development } = resources;
  const baseUrl = baseUrlOf(config);
  const browserSignIn = createBrowserSignIn({
    signIn,
    sessions,
    audit,
    bindDevice,
    knownDevices,
    isHttps: baseUrl.startsWith('https:'),
  });
  const settings = idpOf(config);
  const idp = createIdp({
    provider: settings === undefined ? undefined : createProvider(settings, clock),
    flows: createFlowStore(stores.redis, flowLifetimeMs),
    signIn,
    browserSignIn,
    signInResponse: toSignInResponse,
    emailIdentity,
    audit,
    baseUrl,
    redirectUris: new Set(entriesOf(config.IDP_REDIRECT_URIS)),
  });
  const nobodyIsListed = addressesOf(config.ADMIN_EMAILS).length === 0;
  const devBypass = createDevBypass({
    everybodyIsAdmin: nobodyIsListed,
    users,
    browserSignIn,
    audit,
    userClaims: toUserClaims,
    devices,
    sessionOf: (setCookies) =>
      sessions.find(sessionCookieValues(setCookies.join('; '))[0] ?? '', 'cookie'),
  });
  const firstAdmin = createFirstAdmin({
    redis: stores.redis,
    users,
    browserSignIn,
    audit,
    isNeeded: nobodyIsListed && config.ADMIN_API_KEY === undefined,
  });
  const mayBypass: Development['allows'] = (request) =>
    isBypassOpen(resources) && development.allows(request);
  const bypassAddresses = nobodyIsListed
    ? ['developer@example.com']
    : addressesOf(config.ADMIN_EMAILS).slice(0, 5);
  return { idp, devBypass, mayBypass, bypassAddresses, firstAdmin };
}

export function createSignInPages(
  { config }: Resources,
  audit: Audit,
  { signIn, sessions, secondFactor, passkeys, otpFlow, factorRemoval, knownDevices }: Auth,
  { bindDevice }: DeviceCookies,
) {
  const baseUrl = baseUrlOf(config);
  const isHttps = baseUrl.startsWith('https:');
  const browser = { signIn, sessions, audit, isHttps, bindDevice, knownDevices };
  const layout = createLayout(config.APP_NAME);
  const codeLifetimeMs = otpLimits(config).lifetimeMs;
  return {
    account: createAccount({ sessions, secondFactor, passkeys, factorRemoval, audit }),
    clearedCookies: clearedSessionCookies(isHttps),
    layout,
    contactEmail: config.CONTACT_EMAIL,
    codeLifetimeMs,
    /** The form for the second factor, for sign-ins that began at another page. */
    secondFactorPage: ({ mfaToken, methods }: MfaDue, next: string) =>
      layout(
        secondFactorPage(
          { at: 'second-factor', mfaToken, methods, next },
          { passkeyOrigin: passkeys.origin },
        ),
      ),
    signInPageFlow: createSignInPageFlow({
      otpFlow,
      signIn,
      assertionOf: passkeys.assertionOf,
      browserSignIn: createBrowserSignIn(browser),
      browserCompletion: createBrowserCompletion(browser),
      baseOrigin: new URL(baseUrl).origin,
    }),
  };
}

/** Who asks, from which device, and whether they may. */
export function createAccess(
  { config, clock, stores }: Resources,
  keys: Keys,
  {
    apiKeys,
    auth,
    geoip,
    cookies,
  }: { apiKeys: ApiKeys; auth: Auth; geoip: Geoip; cookies: DeviceCookies },
) {
  const { devices, sessions } = auth;
  const own = {
    baseOrigin: new URL(baseUrlOf(config)).origin,
    isBaseKnown: config.BASE_URL !== undefined,
  };
  const deviceFacts = createRequestFacts({
    ...own,
    proofs: devices.proofs,
    cookie: cookies.deviceCookie,
    country: (ip) => geoip.country(ip),
    clock,
    key: keys('device-origins'),
  });
  const proofGuards = createProofGuards({ devices, facts: deviceFacts });
  const guards = createGuards({
    ...own,
    apiKeys,
    sessions,
    now: clock.now,
    requireProof: proofGuards.requireProof,
  });
  return {
    deviceFacts,
    guards,
    ...cookies,
    deviceGuards: createDeviceGuards({
      guards,
      devices,
      facts: deviceFacts,
      cookie: cookies.deviceCookie,
    }),
    proveKey: proofGuards.proveKey,
    dashboard: createDashboard({ db: stores.db, figuresIn: createAuditFigures, clock }),
  };
}
