import { consolePath } from '../../lib/site-paths.ts';
import type { Role } from '../../lib/access.ts';

export interface Section {
  id: string;
  /** Name in the menu. */
  name: string;
  /** Below `consolePath`. */
  path: string;
  /** A short description, for the palette. */
  hint: string;
  /** The role that may open it, as in the API. */
  role: Role;
}

const sectionList = [
  { id: 'overview', name: 'Overview', path: '', hint: 'How things are right now', role: 'viewer' },
  {
    id: 'analytics',
    name: 'Analytics',
    path: 'analytics',
    hint: 'Visitors, pages, sources, goals',
    role: 'viewer',
  },
  { id: 'users', name: 'Users', path: 'users', hint: 'People, roles and sessions', role: 'admin' },
  {
    id: 'devices',
    name: 'Devices',
    path: 'devices',
    hint: 'Cleared devices and who waits for clearance',
    role: 'admin',
  },
  {
    id: 'status',
    name: 'Status',
    path: 'status',
    hint: 'Components, incidents, maintenance',
    role: 'viewer',
  },
  { id: 'jobs', name: 'Jobs', path: 'jobs', hint: 'Background work: retry, cancel', role: 'admin' },
  { id: 'keys', name: 'API keys', path: 'keys', hint: 'Keys and webhooks', role: 'admin' },
  {
    id: 'realtime',
    name: 'Realtime',
    path: 'realtime',
    hint: 'Listen to channels',
    role: 'viewer',
  },
  { id: 'audit', name: 'Audit log', path: 'audit', hint: 'Who did what, and when', role: 'admin' },
  {
    id: 'settings',
    name: 'Settings',
    path: 'settings',
    hint: 'The configuration in effect',
    role: 'admin',
  },
] as const satisfies readonly Section[];

export type SectionId = (typeof sectionList)[number]['id'];

/** The pages of the console, in the order of its menu. */
export const sections: readonly (Section & { id: SectionId })[] = sectionList;

/** The address of a section. */
export const sectionPath = (id: SectionId): string =>
  consolePath + (sections.find((section) => section.id === id)?.path ?? '');

/** The sections that a user with these roles may open. */
export function sectionsFor(roles: readonly Role[]): typeof sections {
  return roles.includes('admin') ? sections : sections.filter(({ role }) => role === 'viewer');
}
