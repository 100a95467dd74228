import type { Resources } from '../../../platform/resources.ts';
import { createSessionAdmin } from './admin.ts';
import type { SessionNeeds } from './context.ts';
import { createKnownDevices } from './known-devices.ts';
import { createReviewSessions } from './review-account.ts';
import { createSessions } from './service.ts';

/** Sessions, and the known devices: those from which users have signed in before. */
export function composeSessions(resources: Resources, needs: SessionNeeds) {
  const knownDevices = createKnownDevices(resources);
  const sessions = createSessions({ ...resources, ...needs, knownDevices });
  const parts = { ...resources, ...needs, sessions };
  return {
    knownDevices,
    sessions,
    sessionAdmin: createSessionAdmin(parts),
    reviewSessions: createReviewSessions(parts),
  };
}
