import type { Content, Html } from '../../../lib/text/html.ts';
import { escapeHtml } from '../../../lib/text/html.ts';
import { sectionPath } from '../sections.ts';
import type { ConsolePage } from '../layout.tsx';
import { texts } from './texts/en.ts';

/** The pages of the settings, in their order. The first one is at the address of the section. */
const settingsPages = [
  'brand',
  'general',
  'sign-in',
  'messages',
  'analytics',
  'devices',
  'system',
] as const;
export type SettingsPageId = (typeof settingsPages)[number];

const names: Readonly<Record<SettingsPageId, string>> = {
  brand: texts.nav.brand,
  general: texts.nav.general,
  'sign-in': texts.nav.signIn,
  messages: texts.nav.messages,
  analytics: texts.nav.analytics,
  devices: texts.nav.devices,
  system: texts.nav.system,
};

/** The address of a page of the settings. */
export const settingsPath = (id: SettingsPageId): string =>
  id === 'brand' ? sectionPath('settings') : `${sectionPath('settings')}/${id}`;

export interface SettingsFrame extends Pick<ConsolePage, 'notice' | 'every'> {
  id: SettingsPageId;
  lead: string;
  children: Content;
}

function settingsNav(current: SettingsPageId): Html {
  return (
    <nav class="settings-nav" aria-label={texts.nav.label}>
      <ul>
        {settingsPages.map((id) => (
          <li>
            <a href={settingsPath(id)} aria-current={id === current ? 'page' : undefined} safe>
              {names[id]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A page of the settings: the list of all of them at its side. */
export function settingsFrame({ id, lead, children, ...page }: SettingsFrame): ConsolePage {
  return {
    ...page,
    section: 'settings',
    title: texts.nav.label,
    body: (
      <div class="settings-frame">
        {settingsNav(id)}
        <div class="settings-page">
          <h2 class="settings-title">{escapeHtml(names[id])}</h2>
          <p class="hint">{escapeHtml(lead)}</p>
          {children}
        </div>
      </div>
    ),
  };
}
