import type { Config } from '../../config.ts';
import { isPlaceholder } from '../../lib/secrets/guessable.ts';
import type { Resources } from '../../platform/resources.ts';
import type { ProviderSettings } from './provider.ts';

/** True while there is no real client id of the identity provider. */
export function lacksClientId({ IDP_CLIENT_ID: id }: Pick<Config, 'IDP_CLIENT_ID'>): boolean {
  return id === undefined || isPlaceholder(id);
}

/** The identity provider, when it is set up. */
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

/** Whether this machine may sign in without a proof: in development, without a provider. */
export const isBypassOpen = ({
  config,
  development,
}: Pick<Resources, 'config' | 'development'>): boolean =>
  development.bypass && lacksClientId(config);
