import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { OwnAccountServices } from '../account/compose.ts';
import type { People } from '../users/compose.ts';
import { createUserAdmin } from './access.ts';
import { createDirectory } from './service.ts';

/** Users as admins manage them. */
export function composeDirectory(
  resources: Resources,
  needs: Pick<People, 'users' | 'review'> & { audit: Audit; ownAccount: OwnAccountServices },
) {
  const { ownAccount } = needs;
  const userAdmin = createUserAdmin({ ...needs, ...resources });
  const { deleteNow } = ownAccount.deletions;
  return {
    userAdmin,
    directory: createDirectory({ ...resources, ...needs, userAdmin, deleteNow }),
  };
}
