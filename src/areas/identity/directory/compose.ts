import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { OwnAccountServices } from '../account/compose.ts';
import { createDiscovery } from '../scim/discovery.ts';
import { createScim } from '../scim/service.ts';
import { createScimStore } from '../scim/store.ts';
import type { People } from '../users/compose.ts';
import { createUserAdmin } from './access.ts';
import { createDirectory } from './service.ts';

/** Users as admins manage them, and identity providers over SCIM. */
export function composeDirectory(
  resources: Resources,
  needs: Pick<People, 'users' | 'review'> & { audit: Audit; ownAccount: OwnAccountServices },
) {
  const { clock, db, baseUrl } = resources;
  const { users, audit, ownAccount } = needs;
  const userAdmin = createUserAdmin({ users, audit, clock });
  const { deleteNow } = ownAccount.deletions;
  return {
    userAdmin,
    directory: createDirectory({ ...resources, ...needs, userAdmin, deleteNow }),
    scim: createScim({ store: createScimStore(db), clock, audit, users, userAdmin, baseUrl }),
    scimDiscovery: createDiscovery(baseUrl),
  };
}
