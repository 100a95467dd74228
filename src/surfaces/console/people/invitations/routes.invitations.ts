import { z } from 'zod';
import { InvitationFilters } from '../../../../areas/identity/invitations/schemas.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { formatLongDay } from '../../../../platform/i18n/dates.ts';
import { withQuery } from '../../components/navigation.tsx';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { cursor, done, emptyable } from '../../schemas.ts';
import { readPeopleCounts } from '../people-tabs.tsx';
import { readNames } from '../user-names.ts';
import { invitationsPage } from './invitations-page.tsx';
import { InviteForm, inviteAll } from './invite-form.ts';
import { invitePage, inviteResultPage } from './invite-page.tsx';
import { invitationsPath } from './invitations-path.ts';

const pageSize = 50;
const defaultDays = InviteForm.shape.expires_in_days.parse(undefined);
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
      about: z.uuid().optional().describe('The invitation that the notice is about.'),
    }),
    async show(context, { status, cursor: after, ...notice }, { signal }) {
      const { invitations } = context;
      const filters = { filters: { status }, limit: pageSize, cursor: after };
      const [list, counts] = await Promise.all([
        invitations.list(filters, signal),
        readPeopleCounts(context, signal),
      ]);
      const inviters = list.data.map(({ invited_by: inviter }) => inviter.id);
      const names = await readNames(context, inviters);
      return invitationsPage({ page: list, status, cursor: after, names, counts }, notice);
    },
  }),
  page({
    id: 'console.new_invitation',
    path: '/api/svc/console/users/invitations/new',
    summary: 'Console: invite a person',
    show: ({ clock }) => invitePage(formatLongDay(clock.now() + defaultDays * dayMs)),
  }),
  form({
    id: 'console.create_invitation',
    path: '/api/svc/console/users/invitations',
    summary: 'Form: invite a person',
    isFresh: true,
    body: InviteForm,
    run: ({ invitations }, body, { by }) => inviteAll(invitations, body, by),
    to: ({ email }, result) =>
      result.refused.length > 0
        ? inviteResultPage(result)
        : withQuery(invitationsPath, { done: email.length === 1 ? 'sent' : 'sentAll' }),
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
    to: ({ id }) => withQuery(invitationsPath, { about: id }),
    done: 'revoked',
  }),
  form({
    id: 'console.unrevoke_invitation',
    path: '/api/svc/console/users/invitations/:id/unrevoke',
    summary: 'Form: take back the revocation of an invitation',
    params,
    isFresh: true,
    run: ({ invitations }, { id }, { by }) => invitations.unrevoke(id, by),
    to: invitationsPath,
    done: 'unrevoked',
  }),
];
