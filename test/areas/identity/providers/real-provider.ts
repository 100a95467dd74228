import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { listen } from './loopback.ts';

export interface Account {
  email: string;
  email_verified: boolean;
  name: string;
}

export const client = { id: 'svc-console-7f3a', secret: 'rp-6b1f0c52d94e4d7c9a3e' };
export const nativeUri = 'com.company.app:/signed-in';

interface ProviderOptions {
  /** Whether to show login and consent pages; otherwise every request is approved at once. */
  ownPages?: boolean;
}

/**
 * A real OpenID provider on this machine. Without pages, `person` is the user that it signs in,
 * and may be changed.
 */
export async function startProvider(
  baseUrl: string,
  accounts: Record<string, Account>,
  { ownPages = false }: ProviderOptions = {},
) {
  const handlers: ((request: IncomingMessage, response: ServerResponse) => void)[] = [];
  const { origin, close } = await listen((request, response) => {
    for (const handle of handlers) handle(request, response);
  });
  const person = { id: Object.keys(accounts)[0] ?? '', refuses: false };

  const approveEverything = {
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/yes' },
    async loadExistingGrant(context: {
      oidc: {
        session: { accountId: string; grantIdFor: (client: string) => string | undefined };
        client: { clientId: string };
      };
    }) {
      const grantId = context.oidc.session.grantIdFor(context.oidc.client.clientId);
      if (grantId !== undefined) return provider.Grant.find(grantId);
      const grant = new provider.Grant({
        accountId: context.oidc.session.accountId,
        clientId: context.oidc.client.clientId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(origin, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        application_type: 'native',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [
          `${baseUrl}/api/auth/idp/callback`,
          `${baseUrl}/api/auth/cmyk/idp/callback`,
          nativeUri,
        ],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['for this test'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts[id] }),
    }),
    ...(ownPages ? { features: { devInteractions: { enabled: true } } } : approveEverything),
  });
  const inner = provider.callback();
  async function finishInteraction(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { prompt } = await provider.interactionDetails(request, response);
    const login = prompt.name === 'login' ? { login: { accountId: person.id } } : {};
    const result = person.refuses
      ? { error: 'access_denied', error_description: '<script>alert(1)</script>' }
      : { ...login, consent: {} };
    await provider.interactionFinished(request, response, result);
  }
  handlers.push((request, response) => {
    if (request.url === '/yes') void finishInteraction(request, response);
    else inner(request, response);
  });
  return { issuer: origin, person, close };
}
