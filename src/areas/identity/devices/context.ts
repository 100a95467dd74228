import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { Passkeys } from '../factors/passkeys/service.ts';
import type { Sessions } from '../sessions/service.ts';
import type { People } from '../users/compose.ts';
import type { createNotices } from './approval/notices.ts';
import type { DevicePolicy } from './approval/policy.ts';
import type { createDeviceSecrets } from './recognition/device-secrets.ts';
import type { createNonces } from './recognition/nonces.ts';
import type { createTransitions } from './transitions.ts';

/** What devices need from the other folders. */
export interface DeviceNeeds {
  audit: Audit;
  messages: Messages;
  passkeys: Passkeys;
  sessions: Sessions;
  findUser: People['findUser'];
  /** True when requests from this machine may sign in without a proof. */
  isBypassOpen: boolean;
}

/** What the services of devices are made from. */
export type DeviceResources = Resources & DeviceNeeds & { policy: DevicePolicy };

/** And what these services share. */
export type DeviceParts = DeviceResources & {
  nonces: ReturnType<typeof createNonces>;
  secrets: ReturnType<typeof createDeviceSecrets>;
  notices: ReturnType<typeof createNotices>;
  transitions: ReturnType<typeof createTransitions>;
};
