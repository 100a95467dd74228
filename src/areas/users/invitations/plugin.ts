import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../../platform/http/access.ts';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import { type InvitationPageOptions, invitationPageRoutes } from './routes.page.ts';
import { type InvitationRoutesOptions, invitationRoutes } from './routes.ts';

type InvitationServices = Omit<InvitationRoutesOptions & InvitationPageOptions, 'guards'> & {
  scopes: Scopes;
  guards: InvitationRoutesOptions['guards'] & InvitationPageOptions['guards'];
};

/** Invitations: routes for admins, and the page that accepts one. */
export function registerInvitations(app: FastifyInstance, services: InvitationServices): void {
  app.describeTag('invitations', 'Invite people by email.');
  services.scopes.withScope('admin', app, (admins) => {
    admins.register(invitationRoutes, services);
  });
  services.scopes.sameOrigin(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(invitationPageRoutes, services);
  });
}
