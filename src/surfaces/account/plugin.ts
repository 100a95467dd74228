import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { accountFactorRoutes, accountRoutes } from './routes.account.ts';
import { type LoginRoutesOptions, loginRoutes } from './routes.login.ts';
import type { AccountContext } from './routes.visits.ts';

type AccountServices = AccountContext & LoginRoutesOptions & { scopes: Scopes };

/** Registers the pages for signing in and for your own account. */
export function registerAccount(app: FastifyInstance, services: AccountServices): void {
  const { scopes } = services;
  scopes.sameOrigin(app, (pages) => {
    refuseRepeatedMembers(pages);
    pages.register(loginRoutes, services);
    scopes.signedIn(pages, (signedIn) => {
      signedIn.register(accountRoutes, services);
    });
    scopes.fresh(pages, (fresh) => {
      fresh.register(accountFactorRoutes, services);
    });
  });
}
