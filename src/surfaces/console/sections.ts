import { consolePath } from '../../lib/site-paths.ts';
import type { Role } from '../../lib/access.ts';
import type { IconName } from '../../platform/ui/icon.tsx';
import { texts } from './texts/en.ts';

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
  icon: IconName;
}

const sectionList = [
  { id: 'overview', path: '', role: 'viewer', icon: 'overview', ...texts.sections.overview },
  {
    id: 'analytics',
    path: 'analytics',
    role: 'viewer',
    icon: 'analytics',
    ...texts.sections.analytics,
  },
  { id: 'users', path: 'users', role: 'admin', icon: 'users', ...texts.sections.users },
  {
    id: 'waitlist',
    path: 'waitlist',
    role: 'admin',
    icon: 'clock',
    ...texts.sections.waitlist,
  },
  { id: 'devices', path: 'devices', role: 'admin', icon: 'devices', ...texts.sections.devices },
  { id: 'status', path: 'status', role: 'viewer', icon: 'status', ...texts.sections.status },
  { id: 'contact', path: 'contact', role: 'admin', icon: 'mail', ...texts.sections.contact },
  { id: 'jobs', path: 'jobs', role: 'admin', icon: 'jobs', ...texts.sections.jobs },
  { id: 'keys', path: 'keys', role: 'admin', icon: 'key', ...texts.sections.keys },
  {
    id: 'realtime',
    path: 'realtime',
    role: 'viewer',
    icon: 'realtime',
    ...texts.sections.realtime,
  },
  { id: 'records', path: 'records', role: 'admin', icon: 'list', ...texts.sections.records },
  { id: 'audit', path: 'audit', role: 'admin', icon: 'audit', ...texts.sections.audit },
  { id: 'settings', path: 'settings', role: 'admin', icon: 'settings', ...texts.sections.settings },
] as const satisfies readonly Section[];

export type SectionId = (typeof sectionList)[number]['id'];

/** The pages of the console, in the order of its menu. */
export const sections: readonly (Section & { id: SectionId })[] = sectionList;

/** A path of the console. */
export type ConsolePath = `${typeof consolePath}${string}`;

/** The address of a section. */
export const sectionPath = (id: SectionId): string =>
  consolePath + (sections.find((section) => section.id === id)?.path ?? '');

/** The sections that a user with these roles may open. */
export function sectionsFor(roles: readonly Role[]): typeof sections {
  return roles.includes('admin') ? sections : sections.filter(({ role }) => role === 'viewer');
}
