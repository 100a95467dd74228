import type { Migration } from 'kysely';
import { initialSites } from '../areas/analytics/sites/migrations/0001-initial.ts';
import { initialApiKeys } from '../areas/api-keys/migrations/0001-initial.ts';
import { users } from '../areas/identity/users/migrations/0002-users.ts';
import { comms } from '../areas/comms/migrations/0003-comms.ts';
import { audit } from '../areas/audit/migrations/0004-audit.ts';
import { secondFactor } from '../areas/identity/factors/migrations/0005-second-factor.ts';
import { payments } from '../areas/payments/migrations/0006-payments.ts';
import { passkeys } from '../areas/identity/factors/migrations/0007-passkeys.ts';
import { devices } from '../areas/identity/devices/migrations/0008-devices.ts';
import { status } from '../areas/status/migrations/0009-status.ts';
import { deliverability } from '../areas/deliverability/migrations/0010-deliverability.ts';
import { deliveryRules } from '../areas/deliverability/migrations/0022-delivery-rules.ts';
import { signupList } from '../areas/signup/migrations/0026-signup-list.ts';
import { signups } from '../areas/signup/migrations/0011-signups.ts';
import { analyticsGoals } from '../areas/analytics/goals/migrations/0012-analytics-goals.ts';
import { annotations } from '../areas/analytics/annotations/migrations/0013-annotations.ts';
import { analyticsShares } from '../areas/analytics/sharing/migrations/0014-analytics-shares.ts';
import { foldedSenders } from '../areas/contact/migrations/0027-folded-senders.ts';
import { contact } from '../areas/contact/migrations/0020-contact.ts';
import { waitlist } from '../areas/waitlist/migrations/0021-waitlist.ts';
import { waitlistLeftOut } from '../areas/waitlist/migrations/0035-left-out.ts';
import { invitations } from '../areas/identity/users/migrations/0019-invitations.ts';
import { factorResets } from '../areas/identity/resets/migrations/0025-factor-resets.ts';
import { scim } from '../areas/identity/users/migrations/0024-scim.ts';
import { userChanges } from '../areas/identity/users/migrations/0032-user-changes.ts';
import { userDirectory } from '../areas/identity/users/migrations/0017-user-directory.ts';
import { userList } from '../areas/identity/users/migrations/0015-user-list.ts';
import { qrCodes } from '../areas/qr/migrations/0028-qr-codes.ts';
import { qrBatchNames } from '../areas/qr/migrations/0031-qr-batch-names.ts';
import { foldedNames } from '../areas/identity/users/migrations/0027-folded-names.ts';
import { caseFolding } from '../platform/database/migrations/0027-case-folding.ts';
import { nfc } from '../areas/nfc/migrations/0029-nfc.ts';
import { qrForwardQuery } from '../areas/qr/migrations/0033-qr-forward-query.ts';
import { nfcForwardQuery } from '../areas/nfc/migrations/0034-nfc-forward-query.ts';
import { nfcSites } from '../areas/nfc/migrations/0030-nfc-sites.ts';
import { account } from '../areas/identity/users/migrations/0018-account.ts';

/** Combines the migrations of two areas that were released as one. */
const combine = (first: Migration, second: Migration): Migration => ({
  async up(db) {
    await first.up(db);
    await second.up(db);
  },
});

/**
 * All migrations by name. They run in the order of their names. A released one is never changed.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': combine(initialApiKeys, initialSites),
  '0002-users': users,
  '0003-comms': comms,
  '0004-audit': audit,
  '0005-second-factor': secondFactor,
  '0006-payments': payments,
  '0007-passkeys': passkeys,
  '0008-devices': devices,
  '0009-status': status,
  '0010-deliverability': deliverability,
  '0011-signups': signups,
  '0012-analytics-goals': analyticsGoals,
  '0013-analytics-annotations': annotations,
  '0014-analytics-shares': analyticsShares,
  '0015-user-list': userList,
  '0017-user-directory': userDirectory,
  '0018-account': account,
  '0019-invitations': invitations,
  '0020-contact': contact,
  '0021-waitlist': waitlist,
  '0022-delivery-rules': deliveryRules,
  '0024-scim': scim,
  '0025-factor-resets': factorResets,
  '0026-signup-list': signupList,
  '0027-case-folding': combine(caseFolding, combine(foldedNames, foldedSenders)),
  '0028-qr-codes': qrCodes,
  '0029-nfc': nfc,
  '0030-nfc-sites': nfcSites,
  '0031-qr-batch-names': qrBatchNames,
  '0032-user-changes': userChanges,
  '0033-qr-forward-query': qrForwardQuery,
  '0034-nfc-forward-query': nfcForwardQuery,
  '0035-waitlist-left-out': waitlistLeftOut,
};
