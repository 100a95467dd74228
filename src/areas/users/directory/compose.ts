import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import { createUserAdmin } from '../administration.ts';
import type { OwnAccountServices } from '../account/compose.ts';
import type { People } from '../compose.ts';
import { createDirectory } from './directory.ts';

/** Users as admins manage them: their roles and access, and users as a resource. */
export function composeDirectory(
  { clock, db, keys }: Resources,
  {
    audit,
    users,
    review,
    ownAccount,
  }: { audit: Audit; ownAccount: OwnAccountServices } & Pick<People, 'users' | 'review'>,
) {
  const userAdmin = createUserAdmin({ users, audit, clock });
  return {
    userAdmin,
    directory: createDirectory({
      db,
      clock,
      keys,
      audit,
      users,
      review,
      userAdmin,
      deletions: ownAccount.deletions,
    }),
  };
}
