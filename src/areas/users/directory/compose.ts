import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import { createUserAdmin } from '../administration.ts';
<<<<<<< HEAD
import type { People } from '../compose.ts';
=======
import type { OwnAccountServices } from '../account/compose.ts';
import type { Users } from '../service.ts';
>>>>>>> main
import { createDirectory } from './directory.ts';

/** Users as admins manage them: their roles and access, and users as a resource. */
export function composeDirectory(
  { clock, db, keys }: Resources,
<<<<<<< HEAD
  { audit, users, review }: { audit: Audit } & Pick<People, 'users' | 'review'>,
=======
  { audit, users, ownAccount }: { audit: Audit; users: Users; ownAccount: OwnAccountServices },
>>>>>>> main
) {
  const userAdmin = createUserAdmin({ users, audit, clock });
  return {
    userAdmin,
<<<<<<< HEAD
    directory: createDirectory({ db, clock, keys, audit, users, review, userAdmin }),
=======
    directory: createDirectory({
      db,
      clock,
      keys,
      audit,
      users,
      userAdmin,
      deletions: ownAccount.deletions,
    }),
>>>>>>> main
  };
}
