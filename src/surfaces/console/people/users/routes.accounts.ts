import { z } from 'zod';
import {
  ApproveFactorResetBody,
  FactorResetParams,
  RequestFactorResetBody,
} from '../../../../areas/identity/resets/schemas.ts';
import { UpdateUserBody, UserView } from '../../../../areas/identity/directory/schemas.ts';
import { userResource } from '../../../../areas/identity/directory/resource.ts';
import { roles } from '../../../../lib/access.ts';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { sectionPath } from '../../sections.ts';
import { confirmationOf, userPath } from '../labels.tsx';
import { factorResetErrors } from '../../../../areas/identity/resets/errors.ts';
import { approveResetPage, isOpen, requestResetPage } from './factor-reset-panel.tsx';
import {
  deletePage,
  editPage,
  giveRolePage,
  type Lost,
  suspendPage,
  takeRolePage,
} from './account-pages.tsx';

// Lower case like stored ids, because it is compared with the actor's id.
const params = z.object({ id: z.uuid().toLowerCase() });
const roleParams = params.extend({ role: z.enum(roles) });
const RoleForm = z.object({ role: z.enum(roles) });

const toUser = ({ id }: { id: string }): string => userPath(id);
const toDevices = ({ id }: { id: string }): string => `${userPath(id)}/devices`;
const wordOf = async ({ id }: { id: string }, { users }: ConsoleRoutesOptions): Promise<string> =>
  confirmationOf(await users.get(id));

/** Users as the API lists, changes and deletes them. */
function directoryOf({ resourceList }: ConsoleRoutesOptions) {
  const found = resourceList.find(({ resource }) => resource.name === userResource.name);
  if (found === undefined) throw new TypeError('the service has no users');
  return found.service;
}

async function countLost({ sessions, devices }: ConsoleRoutesOptions, id: string): Promise<Lost> {
  const [open, all] = await Promise.all([sessions.list(id), devices.management.listByUser(id)]);
  return { sessions: open.length, devices: all.length };
}

/** Pages with one form, which open in a drawer: each sums up what the form does. */
export const accountPages = [
  page({
    id: 'console.edit_user',
    path: '/api/svc/console/users/:id/edit',
    summary: 'Console: edit a user',
    params,
    errors: ['users.not_found'],
    async show(context, { id }) {
      const user = await context.users.get(id);
      const { external_id: externalId } = UserView.parse(await directoryOf(context).get(id));
      return editPage(user, externalId);
    },
  }),
  page({
    id: 'console.user_role',
    path: '/api/svc/console/users/:id/roles/:role',
    summary: 'Console: give or remove a role',
    params: roleParams,
    errors: ['users.not_found'],
    async show({ users }, { id, role }) {
      const user = await users.get(id);
      return user.roles.includes(role)
        ? takeRolePage(user, role, users.isAdminByConfig(user))
        : giveRolePage(user, role);
    },
  }),
  page({
    id: 'console.suspend_user',
    path: '/api/svc/console/users/:id/suspend',
    summary: 'Console: suspend a user',
    params,
    errors: ['users.not_found'],
    show: async (context, { id }) =>
      suspendPage(await context.users.get(id), await countLost(context, id)),
  }),
  page({
    id: 'console.confirm_delete_user',
    path: '/api/svc/console/users/:id/delete',
    summary: 'Console: delete a user',
    params,
    errors: ['users.not_found'],
    show: async (context, { id }) =>
      deletePage(await context.users.get(id), await countLost(context, id)),
  }),
];

/** Forms for sessions, roles and accounts. Changes to an account need a fresh sign-in. */
export const accountForms = [
  form({
    id: 'console.end_session',
    path: '/api/svc/console/users/:id/sessions/end',
    summary: 'Form: end a session of a user',
    params,
    body: z.object({ session: z.string().max(64) }),
    run: ({ sessionAdmin }, { id, session }, { by }) => sessionAdmin.end(id, session, by),
    to: toDevices,
    done: 'session_ended',
  }),
  form({
    id: 'console.end_all_sessions',
    path: '/api/svc/console/users/:id/sessions/end-all',
    summary: 'Form: end all sessions of a user',
    params,
    run: ({ sessionAdmin }, { id }, { by }) => sessionAdmin.endAll(id, by),
    to: toDevices,
    done: 'sessions_ended',
  }),
  form({
    id: 'console.update_user',
    path: '/api/svc/console/users/:id/edit',
    summary: 'Form: edit a user',
    params,
    isFresh: true,
    body: UpdateUserBody.pick({ name: true, external_id: true }),
    run: async (context, { id, ...changes }, { by }) =>
      directoryOf(context).update?.(id, changes, by),
    to: toUser,
    done: 'updated',
  }),
  form({
    id: 'console.delete_user',
    path: '/api/svc/console/users/:id/delete',
    summary: 'Form: delete a user',
    params,
    isFresh: true,
    word: wordOf,
    run: async (context, { id }, { by }) => directoryOf(context).delete?.(id, by),
    to: sectionPath('users'),
    done: 'deleted',
  }),
  form({
    id: 'console.give_role',
    path: '/api/svc/console/users/:id/roles/give',
    summary: 'Form: give a user a role',
    params,
    isFresh: true,
    body: RoleForm,
    run: ({ userAdmin }, { id, role }, { by }) => userAdmin.giveRole(id, role, by),
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
    run: ({ userAdmin }, { id, role }, { by }) => userAdmin.takeRole(id, role, by),
    to: toUser,
    done: ({ role }) => `${role}_taken`,
  }),
  form({
    id: 'console.disable_user',
    path: '/api/svc/console/users/:id/disable',
    summary: 'Form: suspend a user',
    params,
    isFresh: true,
    run: ({ userAdmin }, { id }, { by }) => userAdmin.disable(id, by),
    to: toUser,
    done: 'disabled',
  }),
  form({
    id: 'console.enable_user',
    path: '/api/svc/console/users/:id/enable',
    summary: 'Form: resume a user',
    params,
    isFresh: true,
    run: ({ userAdmin }, { id }, { by }) => userAdmin.enable(id, by),
    to: toUser,
    done: 'enabled',
  }),
];

/** Forms for 2FA resets. Asking for one and approving one need a fresh sign-in. */
export const factorResetForms = [
  page({
    id: 'console.new_factor_reset',
    path: '/api/svc/console/users/:id/factor-reset/request',
    summary: 'Console: request a 2FA reset',
    params: FactorResetParams,
    errors: ['users.not_found'],
    show: async ({ users }, { id }) => requestResetPage(await users.get(id)),
  }),
  page({
    id: 'console.factor_reset_approval',
    path: '/api/svc/console/users/:id/factor-reset/approve',
    summary: 'Console: approve a 2FA reset',
    params: FactorResetParams,
    errors: ['users.not_found', 'factor_resets.not_found'],
    async show({ users, factorResets }, { id }) {
      const [user, reset] = await Promise.all([users.get(id), factorResets.latest(id)]);
      if (reset === undefined || !isOpen(reset)) throw factorResetErrors.not_found();
      return approveResetPage(user, reset);
    },
  }),
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
