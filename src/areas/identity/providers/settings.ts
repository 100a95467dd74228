import type { Config } from '../../../config.ts';
import { isPlaceholder } from '../../../lib/secrets/guessable.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { ProviderSettings } from './provider.ts';

/** True when no client id of the identity provider is set, or only a placeholder. */
export function lacksClientId({ IDP_CLIENT_ID: id }: Pick<Config, 'IDP_CLIENT_ID'>): boolean {
  return id === undefined || isPlaceholder(id);
}

/** The settings of the identity provider; undefined when they are incomplete. */
export function providerSettings(config: Config): ProviderSettings | undefined {
  const { IDP_ISSUER: issuer, IDP_CLIENT_ID: clientId, IDP_CLIENT_SECRET: clientSecret } = config;
  if (
    issuer === undefined ||
    clientId === undefined ||
    clientSecret === undefined ||
    lacksClientId(config)
  )
    return undefined;
  return { issuer, clientId, clientSecret };
}

/** Whether the bypass is open: in development, while no provider is set up. */
export const isBypassOpen = ({
  config,
  development,
}: Pick<Resources, 'config' | 'development'>): boolean =>
  development.bypass && lacksClientId(config);
