import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Development } from '../../platform/http/development.ts';
import type { DevAccessView, DevModeView, DevStatusView } from './schemas.ts';

/** What the reports depend on. */
export interface DevelopmentContext {
  environment: Config['NODE_ENV'];
  development: Pick<Development, 'isOn' | 'bypass' | 'obstacle'>;
  /** Whether sign-in without a code is open. */
  hasBypass: boolean;
  /** Names of the channels whose messages are kept in the outbox, such as `SMS`. */
  keptChannels: readonly string[];
  stores: Pick<Config, 'REDIS_URL' | 'DATABASE_URL' | 'EVENTS_URL'>;
  version: string;
  clock: Clock;
}

/** What a report depends on in the request. */
export interface DevelopmentCaller {
  method: string;
  /** True for a request from this machine, without a proxy. */
  isLocal: boolean;
}

const outside = 'Development conveniences are off for this request.';
const paths = {
  bypass: '/api/auth/dev/bypass/{email}',
  outbox: '/dev/outbox',
  components: '/dev/components',
};

const placeOf = (setting: string | undefined) =>
  setting === undefined ? ('embedded' as const) : ('external' as const);

/** The conveniences of development mode. */
function conveniencesOf({
  hasBypass,
  keptChannels,
}: DevelopmentContext): NonNullable<DevModeView['conveniences']> {
  const hasOutbox = keptChannels.length > 0;
  return [
    {
      name: 'bypass',
      on: hasBypass,
      path: paths.bypass,
      detail: hasBypass
        ? 'Signs in as anybody, without a code.'
        : 'Off, because an identity provider is set up.',
    },
    {
      name: 'outbox',
      on: hasOutbox,
      path: paths.outbox,
      detail: hasOutbox
        ? `Shows messages that are kept instead of being sent: ${keptChannels.join(' and ')}.`
        : 'Empty, because messages are sent by providers.',
    },
    {
      name: 'components',
      on: true,
      path: paths.components,
      detail: 'Shows all components of pages.',
    },
  ];
}

/**
 * Reports about development mode. Outside development, and to requests from elsewhere, each says
 * only that the conveniences are off.
 */
export function createDevelopmentReports(context: DevelopmentContext) {
  const { environment, development, stores, version, clock } = context;
  const startedAt = clock.now();
  const conveniences = conveniencesOf(context);
  return { access, mode, status };

  /** Whether the caller may use the conveniences. */
  function access(caller: DevelopmentCaller): DevAccessView {
    if (!isOpenTo(caller)) return closedReport(caller);
    const detail =
      'This request comes from this machine without a proxy, so it may use what is on.';
    return {
      ...reportOf(caller, true, detail),
      allowed: { bypass: isOn('bypass'), outbox: isOn('outbox'), components: isOn('components') },
    };
  }

  /** What development mode turns on. */
  function mode(caller: DevelopmentCaller): DevModeView {
    if (!isOpenTo(caller)) return closedReport(caller);
    const detail = 'The service runs in development mode. NODE_ENV=production turns it off.';
    return { ...reportOf(caller, true, detail), conveniences };
  }

  /** The state of the environment. Names no address. */
  function status(caller: DevelopmentCaller): DevStatusView {
    if (!isOpenTo(caller)) return closedReport(caller);
    return {
      ...reportOf(caller, true, 'The development environment is running.'),
      version,
      node: process.versions.node,
      started_at: new Date(startedAt).toISOString(),
      uptime_seconds: Math.max(0, Math.floor((clock.now() - startedAt) / 1000)),
      stores: {
        redis: placeOf(stores.REDIS_URL),
        database: placeOf(stores.DATABASE_URL),
        events: placeOf(stores.EVENTS_URL),
      },
    };
  }

  function isOpenTo({ isLocal }: DevelopmentCaller): boolean {
    return development.bypass && isLocal;
  }

  function isOn(name: string): boolean {
    return conveniences.some((each) => each.name === name && each.on);
  }

  function reportOf({ method }: DevelopmentCaller, enabled: boolean, detail: string) {
    return { enabled, environment, method, changed: false as const, detail };
  }

  /** Says why the conveniences are off, but only to the developer at this machine. */
  function closedReport(caller: DevelopmentCaller) {
    const { obstacle } = development;
    const mayKnow = caller.isLocal && environment === 'development' && obstacle !== undefined;
    return reportOf(caller, false, mayKnow ? `${outside} ${obstacle}.` : outside);
  }
}

export type DevelopmentReports = ReturnType<typeof createDevelopmentReports>;
