import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../../platform/http/body-parsers.ts';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { invitationOperations } from './operations.ts';
import { type InvitationPageOptions, invitationPageRoutes } from './routes.ts';
import type { Invitations } from './service.ts';

/** Invitations: operations for admins, and the page that accepts one. */
export function registerInvitations(
  app: FastifyInstance,
  services: InvitationPageOptions & OperationServices & { invitations: Invitations },
): void {
  app.describeTag('invitations', 'Invite people by email.');
  registerOperations(app, services, invitationOperations);
  services.scopes.sameOrigin(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(invitationPageRoutes, services);
  });
}
