import { z } from 'zod';
import type { User } from '../../../../areas/identity/users/model.ts';
import type { RequestActor } from '../../../../platform/http/requests/request-actor.ts';
import { withQuery } from '../../components/navigation.tsx';
import { listOf } from '../../forms.ts';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { sectionPath } from '../../sections.ts';
import { bulkSuspendPage } from './account-pages.tsx';
import { usersPageSize } from './users-page.tsx';

const home = sectionPath('users');

const BulkForm = z.object({
  action: z.enum(['sign_out', 'suspend', 'resume']),
  /** Set by the page that sums up what suspending does. */
  confirmed: z.literal('true').optional(),
  users: z.array(z.uuid().toLowerCase()).max(usersPageSize),
});
type BulkForm = z.output<typeof BulkForm>;

const doneKeys = { sign_out: 'signed_out', suspend: 'suspended', resume: 'resumed' } as const;

async function actOn(
  { sessionAdmin, userAdmin }: ConsoleRoutesOptions,
  action: BulkForm['action'],
  users: readonly User[],
  by: RequestActor,
): Promise<void> {
  const each = {
    sign_out: ({ id }: User) => sessionAdmin.endAll(id, by),
    suspend: ({ id }: User) => userAdmin.disable(id, by),
    resume: ({ id }: User) => userAdmin.enable(id, by),
  }[action];
  // One after the other: each change of access takes the same lock.
  for (const user of users) await each(user);
}

/** What is done with several users at once. The admin who does it is left out. */
export const bulkForms = [
  form({
    id: 'console.bulk_users',
    path: '/api/svc/console/users/bulk',
    summary: 'Form: sign out, suspend or resume users',
    isFresh: true,
    body: BulkForm,
    read: (values) => ({ users: listOf(values, 'user[]') }),
    async run(context, { action, confirmed, users: ids }, { by, request }) {
      const { userId } = context.viewerOf(request);
      const users = await context.users.findAll(ids.filter((id) => id !== userId));
      const mustConfirm = action === 'suspend' && confirmed === undefined && users.length > 0;
      if (mustConfirm) return bulkSuspendPage(users, ids.includes(userId));
      await actOn(context, action, users, by);
      return users.length === 0 ? 'nobody' : doneKeys[action];
    },
    to: (_input, result) =>
      typeof result === 'string' ? withQuery(home, { done: result }) : result,
  }),
];
