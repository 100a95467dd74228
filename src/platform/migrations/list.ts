import type { Migration } from 'kysely';
import { initial } from './0001-initial.ts';
import { users } from './0002-users.ts';
import { comms } from './0003-comms.ts';
import { audit } from './0004-audit.ts';
import { secondFactor } from './0005-second-factor.ts';
import { payments } from './0006-payments.ts';
import { passkeys } from './0007-passkeys.ts';
import { devices } from './0008-devices.ts';
import { status } from './0009-status.ts';
import { deliverability } from './0010-deliverability.ts';
import { signups } from './0011-signups.ts';
import { analyticsGoals } from './0012-analytics-goals.ts';
import { analyticsAnnotations } from './0013-analytics-annotations.ts';
import { analyticsShares } from './0014-analytics-shares.ts';
import { userList } from './0015-user-list.ts';

/** Every migration by name. Names sort in the order they run; a released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
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
  '0013-analytics-annotations': analyticsAnnotations,
  '0014-analytics-shares': analyticsShares,
  '0015-user-list': userList,
};
