import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Comms } from '../comms/compose.ts';
import type { People } from '../identity/users/compose.ts';
import type { Admission } from '../waitlist/admission.ts';
import type { JoinJob } from '../waitlist/jobs.ts';
import type { PlanCatalog } from '../payments/plan-catalog.ts';
import { bindResource } from '../../platform/resource/resource.ts';
import { createSignupAdmin, signupResource } from './resource.ts';
import { createSignups } from './service.ts';
import { createSignupStore } from './store.ts';

interface SignupNeeds extends Pick<Comms, 'messages' | 'channels'>, Pick<People, 'signUpPolicy'> {
  audit: Audit;
  plans: PlanCatalog;
  admission: Pick<Admission, 'mayEnter'>;
  askToJoin: JoinJob['ask'];
}

/** Signups, and their administration. With WAITLIST=on, people join the waitlist first. */
export function composeSignup(
  { config, clock, db, queues, keys, baseOrigin }: Resources,
  { audit, messages, channels, signUpPolicy, plans, admission, askToJoin }: SignupNeeds,
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
      isOpen: channels.email && (signUpPolicy.hasSignUp || config.WAITLIST),
      signUpPolicy,
      waitlist: config.WAITLIST ? { mayEnter: admission.mayEnter, askToJoin } : undefined,
    }),
    signupList: bindResource(signupResource, createSignupAdmin({ db, clock, keys, audit })),
  };
}
