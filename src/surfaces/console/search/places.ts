import type { Role } from '../../../lib/access.ts';
import { consolePath, themeFormPath } from '../../../lib/site-paths.ts';
import type { IconName } from '../../../platform/ui/icon.tsx';
import { sectionPath, sectionsFor } from '../sections.ts';
import { texts } from './texts/en.ts';

/** A page to go to, or something to do. */
export interface Place {
  name: string;
  icon: IconName;
  href: string;
  /** Other words that find it. */
  words: string;
  /** Values of a form that is posted to `href`. Unset: `href` is a link. */
  send?: Readonly<Record<string, string>>;
}

interface OwnPlace extends Place {
  /** Who may. */
  role: Role;
}

const { actions, places } = texts;

const actionList: readonly OwnPlace[] = [
  {
    ...actions.invite,
    icon: 'mail',
    href: `${sectionPath('users')}/invitations/new`,
    role: 'admin',
  },
  { ...actions.newCode, icon: 'qr', href: `${sectionPath('qr')}/new`, role: 'admin' },
  { ...actions.newTag, icon: 'tag', href: `${sectionPath('nfc')}/new`, role: 'admin' },
  {
    ...actions.incident,
    icon: 'alert',
    href: `${sectionPath('status')}/incidents/new`,
    role: 'admin',
  },
  {
    ...actions.maintenance,
    icon: 'calendar',
    href: `${sectionPath('status')}/maintenances/new`,
    role: 'admin',
  },
  { ...actions.site, icon: 'globe', href: `${sectionPath('analytics')}/site`, role: 'admin' },
  { ...actions.key, icon: 'key', href: sectionPath('keys'), role: 'admin' },
  {
    ...actions.importUsers,
    icon: 'upload',
    href: `${sectionPath('users')}/import`,
    role: 'admin',
  },
  {
    ...actions.dark,
    icon: 'moon',
    href: themeFormPath,
    send: { theme: 'dark' },
    role: 'viewer',
  },
  {
    ...actions.light,
    icon: 'sun',
    href: themeFormPath,
    send: { theme: 'light' },
    role: 'viewer',
  },
  {
    ...actions.system,
    icon: 'monitor',
    href: themeFormPath,
    send: { theme: 'system' },
    role: 'viewer',
  },
  { ...actions.signOut, icon: 'log-out', href: '/account/sign-out', send: {}, role: 'viewer' },
];

const analytics = sectionPath('analytics');

/** Pages that are not in the menu. */
const otherPlaces: readonly OwnPlace[] = [
  {
    ...places.invitations,
    icon: 'mail',
    href: `${sectionPath('users')}/invitations`,
    role: 'admin',
  },
  { ...places.siteRealtime, icon: 'realtime', href: `${analytics}/realtime`, role: 'viewer' },
  { ...places.retention, icon: 'chart', href: `${analytics}/retention`, role: 'viewer' },
  { ...places.goals, icon: 'target', href: `${analytics}/goals`, role: 'viewer' },
  { ...places.siteSettings, icon: 'settings', href: `${analytics}/site`, role: 'viewer' },
  { ...places.qrFiles, icon: 'upload', href: `${consolePath}qr/files`, role: 'admin' },
  { ...places.qrLogos, icon: 'qr', href: `${consolePath}qr/logos`, role: 'admin' },
  { ...places.alarms, icon: 'alert', href: `${sectionPath('nfc')}/alarms`, role: 'admin' },
  { ...places.webhook, icon: 'webhook', href: `${sectionPath('keys')}/webhook`, role: 'admin' },
  {
    ...places.subscribers,
    icon: 'mail',
    href: `${sectionPath('status')}/subscribers`,
    role: 'admin',
  },
  { ...places.account, icon: 'user', href: '/account', role: 'viewer' },
  { ...places.ownDevices, icon: 'devices', href: '/account/devices', role: 'viewer' },
  { ...places.statusPage, icon: 'status', href: '/status', role: 'viewer' },
  { ...places.reference, icon: 'code', href: '/developer/reference', role: 'viewer' },
  { ...places.guides, icon: 'book', href: '/developer/', role: 'viewer' },
];

const shownTo = (all: readonly OwnPlace[], roles: readonly Role[]): Place[] =>
  all
    .filter(({ role }) => role === 'viewer' || roles.includes('admin'))
    .map(({ name, icon, href, words, send }) => ({
      name,
      icon,
      href,
      words,
      ...(send && { send }),
    }));

/** What a user with these roles can do from anywhere. */
export const actionsFor = (roles: readonly Role[]): Place[] => shownTo(actionList, roles);

/** The pages that a user with these roles can go to: those of the menu first. */
export const placesFor = (roles: readonly Role[]): Place[] => [
  ...sectionsFor(roles).map(({ name, hint, path, icon }) => ({
    name,
    icon,
    href: consolePath + path,
    words: hint,
  })),
  ...shownTo(otherPlaces, roles),
];

/** Whether every word of a text is in the name of a place, or in its other words. */
export function isNamed({ name, words }: Pick<Place, 'name' | 'words'>, text: string): boolean {
  const own = `${name} ${words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.includes(word));
}
