import type { SettingsView } from '../../../areas/settings/schemas.live.ts';
import type { BrandView } from '../../../areas/settings/schemas.ts';
import { formatList } from '../../../platform/i18n/lists.ts';
import type { Setting } from '../operations/settings.ts';
import { sectionPath } from '../sections.ts';
import type { StateLine } from './state-lines.tsx';
import { texts } from './texts/en.ts';

const words = texts.states;

/** The value of a variable; empty if it is not set. Secrets that are set are `…`. */
const valueOf = (settings: readonly Setting[], name: string): string => {
  const found = settings.find((setting) => setting.name === name);
  return found === undefined ? '' : (found.value ?? '…');
};

/** Who runs the service, and where people reach them. */
export const generalStates = ({ effective }: BrandView): StateLine[] => [
  { tone: 'neutral', text: words.legal({ name: effective.legal_name }) },
  effective.contact_email === null
    ? { tone: 'warn', text: words.noContact }
    : { tone: 'ok', text: words.contact({ email: effective.contact_email }) },
];

/** Who can sign up, and how people sign in. */
export function signInStates(settings: readonly Setting[], view: SettingsView): StateLine[] {
  const { sign_up: signUp, sign_up_domains: domains } = view.effective;
  const provider = valueOf(settings, 'IDP_CLIENT_ID') !== '';
  const review = valueOf(settings, 'REVIEW_ACCOUNT') !== '';
  return [
    { tone: 'ok', text: words.signUp[signUp]({ domains: formatList(domains) }) },
    provider
      ? { tone: 'ok', text: words.provider({ issuer: valueOf(settings, 'IDP_ISSUER') }) }
      : { tone: 'neutral', text: words.noProvider },
    ...(review ? [{ tone: 'warn' as const, text: words.review }] : []),
    ...(valueOf(settings, 'OTP_LIMITS') === 'off'
      ? [{ tone: 'warn' as const, text: words.noCodeLimits }]
      : []),
  ];
}

/** Whether events are accepted, and for which sites. */
export const analyticsStates = (
  settings: readonly Setting[],
  { effective }: SettingsView,
): StateLine[] => [
  valueOf(settings, 'ANALYTICS') === 'off'
    ? { tone: 'warn', text: words.noEvents }
    : { tone: 'ok', text: words.events },
  { tone: 'ok', text: words.sites[effective.site_registration] },
  {
    tone: 'neutral',
    text: words.retention,
    link: { href: sectionPath('analytics'), text: words.allSites },
  },
];
