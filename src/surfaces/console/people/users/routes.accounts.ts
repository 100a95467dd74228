import { z } from 'zod';
import {
  ApproveFactorResetBody,
  FactorResetParams,
  RequestFactorResetBody,
} from '../../../../areas/identity/resets/schemas.ts';
import { roles } from '../../../../lib/access.ts';
import { requireTypedWord } from '../../forms.ts';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { confirmationOf, userPath } from '../labels.tsx';

// Lower case like stored ids, because it is compared with the actor's id.
const params = z.object({ id: z.uuid().toLowerCase() });
const RoleForm = z.object({ role: z.enum(roles), confirm: z.string().default('') });

const toUser = ({ id }: { id: string }): string => userPath(id);
const wordOf = async ({ id }: { id: string }, { users }: ConsoleRoutesOptions): Promise<string> =>
  confirmationOf(await users.get(id));

/** Only changes to the role of admins have to be confirmed. */
async function requireWordForAdmin(
  context: ConsoleRoutesOptions,
  { id, role, confirm }: z.output<typeof RoleForm> & { id: string },
): Promise<void> {
  if (role === 'admin') requireTypedWord({ confirm }, await wordOf({ id }, context));
}

/** Forms for sessions, roles and accounts. Changes to an account need a fresh sign-in. */
export const accountForms = [
  form({
    id: 'console.end_session',
    path: '/api/svc/console/users/:id/sessions/end',
    summary: 'Form: end a session of a user',
    params,
    body: z.object({ session: z.string().max(64) }),
    run: ({ sessionAdmin }, { id, session }, { by }) => sessionAdmin.end(id, session, by),
    to: toUser,
    done: 'session_ended',
  }),
  form({
    id: 'console.end_all_sessions',
    path: '/api/svc/console/users/:id/sessions/end-all',
    summary: 'Form: end all sessions of a user',
    params,
    run: ({ sessionAdmin }, { id }, { by }) => sessionAdmin.endAll(id, by),
    to: toUser,
    done: 'sessions_ended',
  }),
  form({
    id: 'console.give_role',
    path: '/api/svc/console/users/:id/roles/give',
    summary: 'Form: give a user a role',
    params,
    isFresh: true,
    body: RoleForm,
    async run(context, input, { by }) {
      await requireWordForAdmin(context, input);
      await context.userAdmin.giveRole(input.id, input.role, by);
    },
    to: toUser,
    done: ({ role }) => `${role}_given`,
  }),
  form({
    id: 'console.take_role',
    path: '/api/svc/console/users/:id/roles/take',
    summary: 'Form: remove a role from a user',
    params,
    isFresh: true,
    body: RoleForm,
    async run(context, input, { by }) {
      await requireWordForAdmin(context, input);
      await context.userAdmin.takeRole(input.id, input.role, by);
    },
    to: toUser,
    done: ({ role }) => `${role}_taken`,
  }),
  form({
    id: 'console.disable_user',
    path: '/api/svc/console/users/:id/disable',
    summary: 'Form: lock a user out',
    params,
    isFresh: true,
    word: wordOf,
    run: ({ userAdmin }, { id }, { by }) => userAdmin.disable(id, by),
    to: toUser,
    done: 'disabled',
  }),
  form({
    id: 'console.enable_user',
    path: '/api/svc/console/users/:id/enable',
    summary: 'Form: unlock a user',
    params,
    isFresh: true,
    run: ({ userAdmin }, { id }, { by }) => userAdmin.enable(id, by),
    to: toUser,
    done: 'enabled',
  }),
];

/** Forms for 2FA resets. Asking for one and approving one need a fresh sign-in. */
export const factorResetForms = [
  form({
    id: 'console.request_factor_reset',
    path: '/api/svc/console/users/:id/factor-reset/request',
    summary: 'Form: request a 2FA reset',
    params: FactorResetParams,
    isFresh: true,
    word: wordOf,
    body: RequestFactorResetBody,
    run: ({ factorResets }, { id, reason }, { by }) => factorResets.request(id, reason, by),
    to: toUser,
    done: 'reset_requested',
  }),
  form({
    id: 'console.approve_factor_reset',
    path: '/api/svc/console/users/:id/factor-reset/approve',
    summary: 'Form: approve a 2FA reset',
    params: FactorResetParams,
    isFresh: true,
    word: wordOf,
    // The one that the page showed, which may have been replaced meanwhile.
    body: z.object({ reset: ApproveFactorResetBody.required().shape.id }),
    run: ({ factorResets }, { id, reset }, { by }) => factorResets.approve(id, reset, by),
    to: toUser,
    done: 'reset_approved',
  }),
  form({
    id: 'console.cancel_factor_reset',
    path: '/api/svc/console/users/:id/factor-reset/cancel',
    summary: 'Form: cancel a 2FA reset',
    params: FactorResetParams,
    run: ({ factorResets }, { id }, { by }) => factorResets.cancel(id, by),
    to: toUser,
    done: 'reset_canceled',
  }),
];
