import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Comms } from '../comms/compose.ts';
import type { People } from '../users/compose.ts';
import type { PlanCatalog } from '../payments/plan-catalog.ts';
import { createSignupAdmin } from './admin.ts';
import { createSignups } from './service.ts';
import { createSignupStore } from './store.ts';

/** Signups, and their administration. */
export function composeSignup(
  { clock, db, queues, keys, baseOrigin }: Resources,
  {
    audit,
    messages,
    channels,
    entry,
    plans,
  }: { audit: Audit; plans: PlanCatalog } & Pick<Comms, 'messages' | 'channels'> &
    Pick<People, 'entry'>,
) {
  const store = createSignupStore(db);
  return {
    signups: createSignups({
      store,
      messages,
      queues,
      keys,
      clock,
      baseOrigin,
      plans,
      isOpen: channels.email && entry.hasSignUp,
      entry,
    }),
    signupAdmin: createSignupAdmin({ db, store, audit }),
  };
}
