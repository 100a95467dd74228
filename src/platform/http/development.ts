import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { isLocalRequest, isLoopbackHost } from './requests/local-request.ts';

/**
 * The development conveniences that are on, and the requests that may use them. The only place that
 * decides this.
 */
export interface Development {
  /**
   * True when development conveniences are on: messages without a provider are kept in memory and
   * shown in the outbox.
   */
  readonly isOn: boolean;
  /** True when sign-in without a proof is possible, if the identity provider allows it too. */
  readonly bypass: boolean;
  /** True for requests that may use the conveniences: sent from this machine, without a proxy. */
  allows: (request: FastifyRequest) => boolean;
  /** Why the conveniences are off; undefined when they are on. */
  readonly obstacle: string | undefined;
}

type Settings = Pick<Config, 'NODE_ENV' | 'BASE_URL' | 'HOST' | 'TRUST_PROXY'>;

const isLoopbackAddress = (host: string): boolean =>
  isLoopbackHost(host === '::1' ? '[::1]' : host);

function findObstacle({ NODE_ENV, BASE_URL, HOST, TRUST_PROXY }: Settings): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production';
  if (BASE_URL !== undefined && !isLoopbackHost(new URL(BASE_URL).host))
    return 'BASE_URL is not an address of this machine';
  if (!isLoopbackAddress(HOST)) return 'HOST is not an address of this machine alone';
  return TRUST_PROXY === '' ? undefined : 'TRUST_PROXY says that a proxy passes requests on';
}

/**
 * Decides from the settings which development conveniences are on. They stay off unless every
 * setting indicates a developer's machine: a service deployed without NODE_ENV must stay secure.
 */
export function developmentOf(settings: Settings): Development {
  const obstacle = findObstacle(settings);
  const isOn = obstacle === undefined;
  return {
    isOn,
    bypass: isOn && settings.NODE_ENV === 'development',
    allows: (request) => isOn && isLocalRequest(request),
    obstacle,
  };
}
