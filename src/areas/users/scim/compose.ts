import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { UserAdmin } from '../administration.ts';
import type { Users } from '../service.ts';
import { createDiscovery } from './discovery.ts';
import { createScim } from './service.ts';
import { createScimStore } from './store.ts';

/** Users as an identity provider manages them. */
export const composeScim = (
  { db, clock, baseUrl }: Resources,
  { audit, users, userAdmin }: { audit: Audit; users: Users; userAdmin: UserAdmin },
) => ({
  scim: createScim({ store: createScimStore(db), clock, audit, users, userAdmin, baseUrl }),
  scimDiscovery: createDiscovery(baseUrl),
});
