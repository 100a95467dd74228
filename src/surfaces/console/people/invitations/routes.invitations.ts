import { z } from 'zod';
import {
  CreateInvitationBody,
  InvitationFilters,
} from '../../../../areas/identity/invitations/schemas.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { cursor, done, emptyable } from '../../schemas.ts';
import { invitationsPage } from './invitations-page.tsx';
import { invitationsPath } from './invitations-path.ts';

const pageSize = 50;
const params = z.object({ id: z.uuid() });

/** Invitations: their list, and the forms that send and revoke them. */
export const invitationRoutes = [
  page({
    id: 'console.invitations',
    path: '/api/svc/console/users/invitations',
    summary: 'Console: invitations',
    description:
      'Invitations, newest first, and a form to send one. For admins on an approved device.',
    query: z.object({
      status: emptyable(InvitationFilters.shape.status.unwrap()),
      cursor,
      done,
    }),
    async show({ invitations }, { status, cursor: after, done: doneKey }, { signal }) {
      const list = await invitations.list(
        { filters: { status }, limit: pageSize, cursor: after },
        signal,
      );
      return invitationsPage({ page: list, status, cursor: after }, doneKey);
    },
  }),
  form({
    id: 'console.create_invitation',
    path: '/api/svc/console/users/invitations',
    summary: 'Form: invite a person',
    isFresh: true,
    body: CreateInvitationBody,
    run: ({ invitations }, body, { by }) => invitations.create(body, by),
    to: invitationsPath,
    done: 'sent',
  }),
  form({
    id: 'console.resend_invitation',
    path: '/api/svc/console/users/invitations/:id/resend',
    summary: 'Form: send an invitation again',
    params,
    isFresh: true,
    run: ({ invitations }, { id }, { by }) => invitations.resend(id, by),
    to: invitationsPath,
    done: 'resent',
  }),
  form({
    id: 'console.revoke_invitation',
    path: '/api/svc/console/users/invitations/:id/revoke',
    summary: 'Form: revoke an invitation',
    params,
    run: ({ invitations }, { id }, { by }) => invitations.revoke(id, by),
    to: invitationsPath,
    done: 'revoked',
  }),
];
