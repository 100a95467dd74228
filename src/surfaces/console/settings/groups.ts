import { liveVariables } from '../../../platform/settings/live-settings.ts';
import type { Setting } from '../operations/settings.ts';
import type { SettingsPageId } from './settings-frame.tsx';

/** Variables belong to the first page whose pattern matches their name. */
const patterns: readonly (readonly [Exclude<SettingsPageId, 'brand'>, RegExp])[] = [
  ['general', /^(?:APP_NAME|CONTACT_|LEGAL_|PLANS$|PAYMENTS_|WAITLIST|GEOIP_)/],
  ['devices', /^DEVICE_/],
  ['sign-in', /^(?:AUTH|ADMIN|IDP|OTP|SIGN_UP|REVIEW|APP_ORIGINS)/],
  ['messages', /^(?:MAIL|SMTP|SMS|TWILIO)_/],
  ['analytics', /^(?:ANALYTICS|SITE|DEDUPE|STORED|QUERY|JOURNAL_)/],
  ['system', /./],
];

/** Variables that a form of their page is about: it says itself what holds. */
const inForms: readonly string[] = [
  ...Object.values(liveVariables),
  'SIGN_UP_DOMAINS',
  'APP_NAME',
  'CONTACT_EMAIL',
  'LEGAL_NAME',
  'LEGAL_ADDRESS',
];

/** The variables of a page of the settings. */
export const variablesOf = (
  page: Exclude<SettingsPageId, 'brand'>,
  settings: readonly Setting[],
): Setting[] =>
  settings.filter(
    ({ name }) =>
      !inForms.includes(name) && patterns.find(([, own]) => own.test(name))?.[0] === page,
  );
