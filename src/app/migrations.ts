import type { Migration } from 'kysely';
import { analytics } from '../areas/analytics/migrations/0004-analytics.ts';
import { apiKeys } from '../areas/api-keys/migrations/0003-api-keys.ts';
import { audit } from '../areas/audit/migrations/0006-audit.ts';
import { comms } from '../areas/comms/migrations/0005-comms.ts';
import { contact } from '../areas/contact/migrations/0013-contact.ts';
import { contactUndos } from '../areas/identity/migrations/0020-contact-undos.ts';
import { deliveriesByRecipient } from '../areas/comms/migrations/0018-deliveries-by-recipient.ts';
import { deliverability } from '../areas/deliverability/migrations/0011-deliverability.ts';
import { devices } from '../areas/identity/migrations/0008-devices.ts';
import { foldCase } from '../platform/database/migrations/0000-fold-case.ts';
import { nfc } from '../areas/nfc/migrations/0016-nfc.ts';
import { nfcTitles } from '../areas/nfc/migrations/0018-nfc-titles.ts';
import { payments } from '../areas/payments/migrations/0009-payments.ts';
import { qr } from '../areas/qr/migrations/0015-qr.ts';
import { qrLogoNames } from '../areas/qr/migrations/0019-qr-logo-names.ts';
import { scim } from '../areas/identity/migrations/0002-scim.ts';
import { secondFactor } from '../areas/identity/migrations/0007-second-factor.ts';
import { settings } from '../areas/settings/migrations/0017-settings.ts';
import { signups } from '../areas/signup/migrations/0012-signups.ts';
import { status } from '../areas/status/migrations/0010-status.ts';
import { users } from '../areas/identity/migrations/0001-users.ts';
import { waitlist } from '../areas/waitlist/migrations/0014-waitlist.ts';
import { waitlistPlaces } from '../areas/waitlist/migrations/0021-waitlist-places.ts';

/**
 * All migrations by name. They run in the order of their names, so that a table exists before
 * another one refers to it. A released one is never changed.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0000-fold-case': foldCase,
  '0001-users': users,
  '0002-scim': scim,
  '0003-api-keys': apiKeys,
  '0004-analytics': analytics,
  '0005-comms': comms,
  '0006-audit': audit,
  '0007-second-factor': secondFactor,
  '0008-devices': devices,
  '0009-payments': payments,
  '0010-status': status,
  '0011-deliverability': deliverability,
  '0012-signups': signups,
  '0013-contact': contact,
  '0014-waitlist': waitlist,
  '0015-qr': qr,
  '0016-nfc': nfc,
  '0017-settings': settings,
  '0018-deliveries-by-recipient': deliveriesByRecipient,
  '0019-qr-logo-names': qrLogoNames,
  '0018-nfc-titles': nfcTitles,
  '0020-contact-undos': contactUndos,
  '0021-waitlist-places': waitlistPlaces,
};
