import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import { createUserAdmin } from '../administration.ts';
import type { OwnAccountServices } from '../account/compose.ts';
import type { Users } from '../service.ts';
import { createDirectory } from './directory.ts';

/** Users as admins manage them: their roles and access, and users as a resource. */
export function composeDirectory(
  { clock, db, keys }: Resources,
  { audit, users, ownAccount }: { audit: Audit; users: Users; ownAccount: OwnAccountServices },
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
      userAdmin,
      deletions: ownAccount.deletions,
    }),
  };
}
