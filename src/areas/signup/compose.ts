import { bindResource } from '../../platform/resource/resource.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import { createSignupAdmin, signupResource } from './resource.ts';
import { createSignups, type SignupNeeds } from './service.ts';

/** Signups, and their administration. */
export const composeSignup = (resources: Resources, needs: SignupNeeds & { audit: Audit }) => ({
  signups: createSignups(resources, needs),
  signupList: bindResource(signupResource, createSignupAdmin(resources, needs.audit)),
});

export type SignupContext = ReturnType<typeof composeSignup>;
