import {
  accountDataPath,
  accountPath,
  accountSecurityPath,
  accountSessionsPath,
} from '../../lib/site-paths.ts';
import type { Html } from '../../lib/text/html.ts';
import { notice } from './fields.tsx';
import { texts } from './texts/en.ts';

type Done = readonly [path: string, text: string];

/** What was done, by its name in the URL: the page it belongs to, and the notice there. */
const notices: Readonly<Partial<Record<string, Done>>> = {
  profile_saved: [accountPath, texts.profile.saved],
  picture_uploaded: [accountPath, texts.picture.uploaded],
  picture_removed: [accountPath, texts.picture.removed],
  email_changed: [accountPath, texts.contact.email.changed],
  phone_changed: [accountPath, texts.contact.phone.changed],
  totp_confirmed: [accountSecurityPath, texts.account.totpConfirmed],
  totp_removed: [accountSecurityPath, texts.account.totpRemoved],
  passkey_added: [accountSecurityPath, texts.account.passkeyAdded],
  passkey_removed: [accountSecurityPath, texts.account.passkeyRemoved],
  passkey_refused: [accountSecurityPath, texts.account.passkeyRefused],
  reset_canceled: [accountSecurityPath, texts.factorReset.canceled],
  session_ended: [accountSessionsPath, texts.account.sessionEnded],
  others_ended: [accountSessionsPath, texts.account.othersEnded],
  export_started: [accountDataPath, texts.data.started],
  deletion_scheduled: [accountDataPath, texts.deletion.scheduled],
  account_kept: [accountDataPath, texts.deletion.kept],
};

const doneOf = (name: string | undefined): Done | undefined =>
  name !== undefined && Object.hasOwn(notices, name) ? notices[name] : undefined;

/** The page of the account that says what was done. */
export const donePath = (name: string): string =>
  `${doneOf(name)?.[0] ?? accountPath}?done=${name}`;

/** The notice at the top of a page: what was just done. */
export const doneNotice = (name: string | undefined): Html | undefined => notice(doneOf(name)?.[1]);
