import { inventory } from '../../../support/abuse.ts';
import { freshApp, type FreshApp } from '../../../support/app.ts';
import { freePort } from '../../../support/redis-server.ts';
import { client, nativeUri } from './real-provider.ts';

export interface IdpApp extends FreshApp {
  base: string;
}

/** A free base URL for an app, which the provider needs before the app starts. */
export const freeBase = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

/** The service, listening, with an identity provider. */
export async function startIdpApp(
  base: string,
  issuer: string,
  env: Record<string, string> = {},
): Promise<IdpApp> {
  const settings = {
    BASE_URL: base,
    IDP_ISSUER: issuer,
    IDP_CLIENT_ID: client.id,
    IDP_CLIENT_SECRET: client.secret,
    IDP_REDIRECT_URIS: nativeUri,
  };
  const app = await freshApp({ env: { ...settings, ...env } });
  await app.http.listen({ host: '127.0.0.1', port: Number(new URL(base).port) });
  await app.services.queues.start();
  return { ...app, base };
}

/** Counts what a failed sign-in must not leave behind. */
export async function traces(
  app: FreshApp,
): Promise<{ users: number; identities: number; sessions: number }> {
  const { users, identities, sessions } = await inventory(app);
  return { users, identities, sessions };
}
