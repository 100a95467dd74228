import type { BrandReader } from '../../platform/brand/brand.ts';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/clock.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import type { RequestMeter } from '../../platform/http/requests/request-meter.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { AnalyticsContext } from '../../areas/analytics/compose.ts';
import type { ContactContext } from '../../areas/contact/compose.ts';
import type { NfcContext } from '../../areas/nfc/compose.ts';
import type { PlanCatalog } from '../../areas/payments/plan-catalog.ts';
import type { PaymentContext } from '../../areas/payments/compose.ts';
import type { QrContext } from '../../areas/qr/compose.ts';
import type { Messages } from '../../areas/comms/service.ts';
import type { SettingsContext } from '../../areas/settings/compose.ts';
import type { Signups } from '../../areas/signup/service.ts';
import type { StatusContext } from '../../areas/status/compose.ts';
import type { ApiKeys } from '../../areas/api-keys/service.ts';
import type { Audit } from '../../areas/audit/service.ts';
import type { Geoip } from '../../areas/geoip/country-database.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { Scopes } from '../../platform/http/access.ts';
import type { SessionAdmin } from '../../areas/identity/sessions/admin.ts';
import type { Sessions } from '../../areas/identity/sessions/service.ts';
import type { Dashboard } from '../../areas/identity/devices/dashboard/service.ts';
import type { DeviceGuards } from '../../areas/identity/devices/guards.ts';
import type { Devices } from '../../areas/identity/devices/service.ts';
import type { Otp } from '../../areas/identity/codes/service.ts';
import type { Health } from '../../areas/health/service.ts';
import type { Jobs } from '../../areas/jobs/service.ts';
import type { Confirmation } from '../../areas/identity/sign-in/confirmation.ts';
import type { FactorResets } from '../../areas/identity/resets/service.ts';
import type { SecondFactor } from '../../areas/identity/factors/service.ts';
import type { Approvals } from '../../areas/waitlist/entries/approvals.ts';
import type { UserAdmin } from '../../areas/identity/directory/access.ts';
import type { Invitations } from '../../areas/identity/invitations/service.ts';
import type { Users } from '../../areas/identity/users/service.ts';
import type { GuideLibrary } from '../developer/guide-library.ts';
import type { Realtime } from '../ws/service.ts';

/** The services that pages of the console read, and that its forms act on. */
export interface ConsoleServices
  extends
    AnalyticsContext,
    ContactContext,
    SettingsContext,
    NfcContext,
    PaymentContext,
    QrContext,
    StatusContext {
  guards: Guards;
  scopes: Scopes;
  deviceGuards: DeviceGuards;
  keys: Keys;
  redis: Redis;
  bus: Bus;
  queues: Queues;

  users: Users;
  userAdmin: UserAdmin;
  invitations: Invitations;
  signups: Pick<Signups, 'count'>;
  signupList: BoundResource;
  plans: Pick<PlanCatalog, 'nameOf'>;
  sessions: Sessions;
  sessionAdmin: SessionAdmin;
  secondFactor: SecondFactor;
  /** Confirms in place that it is the user who is at a session. */
  confirmation: Confirmation;
  factorResets: FactorResets;
  devices: Devices;
  /** Figures of device security. */
  dashboard: Dashboard;
  apiKeys: ApiKeys;
  audit: Audit;
  geoip: Pick<Geoip, 'country'>;

  messages: Messages;
  otp: Otp;
  /** Whether messages can be sent, by channel. */
  channels: { email: boolean; sms: boolean };
  /** Names of the channels whose messages stay in the outbox. */
  keptChannels: readonly string[];
  waitlistApprovals: Approvals;
  waitlistEntries: BoundResource;
  jobs: Jobs;
  health: Health;
  realtime: Realtime;
  library: GuideLibrary;
  resourceList: readonly BoundResource[];
}

/** A setting with its effective value. */
export interface SettingValue {
  /** The environment variable. */
  name: string;
  description: string;
  value: unknown;
  default: unknown;
}

/** What the app hands to the console. */
export interface ConsoleContext extends ConsoleServices {
  brand: BrandReader;
  /** Version of the service. */
  version: string;
  /** The public URL of the service, without a slash at the end. */
  baseUrl: string;
  /** Its origin. */
  baseOrigin: string;
  /** Contact for people who need a role. Unset: an admin. */
  contactEmail: () => string | undefined;
  /** All settings. The console never shows the values of secrets. */
  settings: readonly SettingValue[];
  clock: Clock;
  assets: Assets;
  meter: RequestMeter;
}
