import { activity } from './en/activity.ts';
import { audit } from './en/audit.ts';
import { devices } from './en/devices.ts';
import { invitations } from './en/invitations.ts';
import { keys, webhook } from './en/keys.ts';
import { signUp } from './en/sign-up.ts';
import { signIns, user, users } from './en/users.ts';

/** Texts of the pages about people, devices, keys and the audit log. */
export const texts = {
  actions: 'Actions',
  actionsFor: (p: { name: string }) => `Actions for ${p.name}`,
  clearFilters: 'Clear filters',
  activity,
  audit,
  devices,
  invitations,
  keys,
  webhook,
  signIns,
  signUp,
  user,
  users,
};
