import { operationsOf } from '../../../platform/operations/operation.ts';
import {
  CreateInvitationBody,
  InvitationListQuery,
  InvitationPage,
  InvitationParams,
  InvitationView,
} from './schemas.ts';
import type { Invitations } from './service.ts';

const operation = operationsOf<{ invitations: Invitations }>({
  scope: 'admin',
  tag: 'invitations',
});

const sendErrors = [
  'invitations.rate_limited',
  'invitations.address_rate_limited',
  'comms.not_configured',
  'comms.recipient_invalid',
  'auth.step_up_required',
];

/** Invitations, for admins. */
export const invitationOperations = [
  operation({
    id: 'invitations.list',
    path: 'GET /api/v1/invitations',
    summary: 'List invitations',
    description: 'Newest first. Links are never shown: they are only in the emails.',
    query: InvitationListQuery,
    output: InvitationPage,
    run: ({ invitations }, { limit, cursor, ...filters }, { signal }) =>
      invitations.list({ filters, limit, cursor }, signal),
  }),
  operation({
    id: 'invitations.get',
    path: 'GET /api/v1/invitations/:id',
    summary: 'Get an invitation',
    description: 'All details of the invitation except its link.',
    params: InvitationParams,
    output: InvitationView,
    errors: ['invitations.not_found'],
    run: ({ invitations }, { id }) => invitations.get(id),
  }),
  operation({
    id: 'invitations.create',
    path: 'POST /api/v1/invitations',
    summary: 'Invite a person',
    description:
      'Sends an email with a link that works once. At most 100 invitations in an hour, and ' +
      '500 pending ones. Users must have signed in within the last five minutes.',
    body: CreateInvitationBody,
    output: InvitationView,
    errors: [
      ...sendErrors,
      'invitations.already_pending',
      'invitations.too_many_pending',
      'users.review_account',
    ],
    run: ({ invitations }, body, { by }) => invitations.create(body, by),
  }),
  operation({
    id: 'invitations.resend',
    path: 'POST /api/v1/invitations/:id/resend',
    summary: 'Send an invitation again',
    description:
      'Sends a new link and restarts the expiry time. The previous link stops working. At ' +
      'most five emails for each invitation, at least a minute apart.',
    params: InvitationParams,
    output: InvitationView,
    errors: [
      ...sendErrors,
      'invitations.not_found',
      'invitations.not_open',
      'invitations.resent_too_often',
    ],
    run: ({ invitations }, { id }, { by }) => invitations.resend(id, by),
  }),
  operation({
    id: 'invitations.revoke',
    path: 'DELETE /api/v1/invitations/:id',
    summary: 'Revoke an invitation',
    description: 'The link stops working immediately. Repeating the call has no effect.',
    params: InvitationParams,
    output: InvitationView,
    errors: ['invitations.not_found', 'invitations.not_open'],
    run: ({ invitations }, { id }, { by }) => invitations.revoke(id, by),
  }),
];
