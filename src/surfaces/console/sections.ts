import { consolePath } from '../../lib/site-paths.ts';
import type { Role } from '../../lib/access.ts';
import type { IconName } from '../../platform/ui/icon.tsx';
import { texts } from './texts/en.ts';

/** The headings of the menu, in their order. */
export const sectionGroups = ['measure', 'links', 'people', 'run', 'build'] as const;
export type SectionGroup = (typeof sectionGroups)[number];

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
  /** The heading of the menu that it stands under. Unset: before all headings. */
  group?: SectionGroup;
}

const sectionList = [
  { id: 'overview', path: '', role: 'viewer', icon: 'overview', ...texts.sections.overview },
  {
    id: 'analytics',
    path: 'analytics',
    role: 'viewer',
    icon: 'analytics',
    group: 'measure',
    ...texts.sections.analytics,
  },
  {
    id: 'qr',
    path: 'qr',
    role: 'admin',
    icon: 'qr',
    group: 'links',
    ...texts.sections.qr,
  },
  {
    id: 'nfc',
    path: 'nfc',
    role: 'admin',
    icon: 'tag',
    group: 'links',
    ...texts.sections.nfc,
  },
  {
    id: 'users',
    path: 'users',
    role: 'admin',
    icon: 'users',
    group: 'people',
    ...texts.sections.users,
  },
  {
    id: 'waitlist',
    path: 'waitlist',
    role: 'admin',
    icon: 'clock',
    group: 'people',
    ...texts.sections.waitlist,
  },
  {
    id: 'contact',
    path: 'contact',
    role: 'admin',
    icon: 'mail',
    group: 'people',
    ...texts.sections.contact,
  },
  {
    id: 'devices',
    path: 'devices',
    role: 'admin',
    icon: 'devices',
    group: 'people',
    ...texts.sections.devices,
  },
  {
    id: 'status',
    path: 'status',
    role: 'viewer',
    icon: 'status',
    group: 'run',
    ...texts.sections.status,
  },
  {
    id: 'health',
    path: 'health',
    role: 'viewer',
    icon: 'pulse',
    group: 'run',
    ...texts.sections.health,
  },
  { id: 'jobs', path: 'jobs', role: 'admin', icon: 'jobs', group: 'run', ...texts.sections.jobs },
  {
    id: 'realtime',
    path: 'realtime',
    role: 'viewer',
    icon: 'realtime',
    group: 'run',
    ...texts.sections.realtime,
  },
  { id: 'keys', path: 'keys', role: 'admin', icon: 'key', group: 'build', ...texts.sections.keys },
  {
    id: 'audit',
    path: 'audit',
    role: 'admin',
    icon: 'audit',
    group: 'build',
    ...texts.sections.audit,
  },
  {
    id: 'settings',
    path: 'settings',
    role: 'admin',
    icon: 'settings',
    group: 'build',
    ...texts.sections.settings,
  },
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
