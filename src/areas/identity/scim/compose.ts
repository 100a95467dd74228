import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { UserAdmin } from '../directory/access.ts';
import type { Users } from '../users/service.ts';
import { createDiscovery } from './discovery.ts';
import { createScim } from './service.ts';
import { createScimStore } from './store.ts';

/** Users as identity providers manage them, over SCIM. */
export const composeScim = (
  { clock, db, baseUrl }: Resources,
  needs: { users: Users; userAdmin: UserAdmin; audit: Audit },
) => ({
  scim: createScim({ ...needs, store: createScimStore(db), clock, baseUrl }),
  scimDiscovery: createDiscovery(baseUrl),
});
