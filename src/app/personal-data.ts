import { analyticsPersonalData } from '../areas/analytics/personal-data.ts';
import { apiKeysPersonalData } from '../areas/api-keys/personal-data.ts';
import { auditPersonalData } from '../areas/audit/personal-data.ts';
import { contactPersonalData } from '../areas/contact/personal-data.ts';
import { devicesPersonalData } from '../areas/identity/devices/personal-data.ts';
import { commsPersonalData } from '../areas/comms/personal-data.ts';
import { deliverabilityPersonalData } from '../areas/deliverability/personal-data.ts';
import { nfcPersonalData } from '../areas/nfc/personal-data.ts';
import { paymentsPersonalData } from '../areas/payments/personal-data.ts';
import { qrPersonalData } from '../areas/qr/personal-data.ts';
import { secondFactorPersonalData } from '../areas/identity/factors/personal-data.ts';
import { settingsPersonalData } from '../areas/settings/personal-data.ts';
import { signupPersonalData } from '../areas/signup/personal-data.ts';
import { statusPersonalData } from '../areas/status/personal-data.ts';
import { usersPersonalData } from '../areas/identity/users/personal-data.ts';
import { waitlistPersonalData } from '../areas/waitlist/personal-data.ts';
import type { AreaPersonalData } from '../platform/database/personal-data.ts';

/**
 * What the service knows about people in SQL: what an export shows, and what deleting an account
 * empties, in this order. `test/app/personal-data.test.ts` finds columns that are missing here.
 * Accounts come last, because deleting them deletes what refers to them.
 */
export const personalData: readonly AreaPersonalData[] = [
  auditPersonalData,
  analyticsPersonalData,
  apiKeysPersonalData,
  commsPersonalData,
  contactPersonalData,
  deliverabilityPersonalData,
  nfcPersonalData,
  paymentsPersonalData,
  qrPersonalData,
  settingsPersonalData,
  signupPersonalData,
  statusPersonalData,
  waitlistPersonalData,
  devicesPersonalData,
  secondFactorPersonalData,
  usersPersonalData,
];
