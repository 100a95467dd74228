import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { isLocalRequest, isLoopbackHost } from './requests/local-request.ts';

/** Which conveniences of development are on, and for which requests. Nothing else decides that. */
export interface Development {
  /** Something may be on: messages that no provider sends are kept in memory, to be looked at. */
  readonly isOn: boolean;
  /** Whether sign-in without a proof is possible, if the identity provider allows it too. */
  readonly bypass: boolean;
  /** True for requests that may use what is on: from this machine itself, passed on by nobody. */
  allows: (request: FastifyRequest) => boolean;
  /** Why nothing is on; undefined when something is. */
  readonly obstacle: string | undefined;
}

type Settings = Pick<Config, 'NODE_ENV' | 'BASE_URL' | 'HOST' | 'TRUST_PROXY'>;

const isLoopbackAddress = (host: string): boolean =>
  isLoopbackHost(host === '::1' ? '[::1]' : host);

function obstacleOf({ NODE_ENV, BASE_URL, HOST, TRUST_PROXY }: Settings): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production';
  if (BASE_URL !== undefined && !isLoopbackHost(new URL(BASE_URL).host))
    return 'BASE_URL is not an address of this machine';
  if (!isLoopbackAddress(HOST)) return 'HOST is not an address of this machine alone';
  return TRUST_PROXY === '' ? undefined : 'TRUST_PROXY says that a proxy passes requests on';
}

/**
 * Decides from the settings which conveniences of development are on. They stay off unless
 * everything says that this is somebody's own machine: a service that was deployed without NODE_ENV
 * must not let strangers in.
 */
export function developmentOf(settings: Settings): Development {
  const obstacle = obstacleOf(settings);
  const isOn = obstacle === undefined;
  return {
    isOn,
    bypass: isOn && settings.NODE_ENV === 'development',
    allows: (request) => isOn && isLocalRequest(request),
    obstacle,
  };
}
