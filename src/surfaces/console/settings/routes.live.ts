import { z } from 'zod';
import { SavedSettingsMembers } from '../../../areas/settings/schemas.live.ts';
import { listOf } from '../forms.ts';
import type { ConsoleRoute } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { settingsPath } from './settings-frame.tsx';

const { sign_up, sign_up_domains, site_registration } = SavedSettingsMembers.shape;
const waitlistMember = z.enum(['waitlist_total', 'waitlist_leaderboard']);
const undoBody = z.object({ changed_at: z.iso.datetime() });

const undo = (
  id: 'general' | 'sign-in' | 'analytics',
  name: 'general' | 'sign_in' | 'analytics',
): ConsoleRoute =>
  form({
    id: `console.undo_${name}_settings`,
    path: `/api/svc/console/settings/${id}/undo`,
    summary: 'Form: undo the last change of the settings',
    body: undoBody,
    read: (values) => ({ changed_at: listOf(values, 'changed_at')[0] }),
    run: ({ liveSettings }, { changed_at: at }, { by }) => liveSettings.undo(at, by),
    to: settingsPath(id),
    done: 'undone',
  });

/** Forms of the settings that hold at once. */
export const liveRoutes: readonly ConsoleRoute[] = [
  form({
    id: 'console.set_sign_up',
    path: '/api/svc/console/settings/sign-in/sign-up',
    summary: 'Form: who can sign up',
    body: z.object({ sign_up, sign_up_domains }),
    run: ({ liveSettings }, changes, { by }) => liveSettings.update(changes, by),
    to: settingsPath('sign-in'),
    done: 'changed',
  }),
  form({
    id: 'console.set_site_registration',
    path: '/api/svc/console/settings/analytics/sites',
    summary: 'Form: whether sites add themselves',
    body: z.object({ site_registration }),
    run: ({ liveSettings }, changes, { by }) => liveSettings.update(changes, by),
    to: settingsPath('analytics'),
    done: 'changed',
  }),
  form({
    id: 'console.set_waitlist_page',
    path: '/api/svc/console/settings/general/waitlist',
    summary: 'Form: what the waitlist shows',
    // Members that the environment sets are not among `members`.
    body: z.object({ members: z.array(waitlistMember), on: z.array(waitlistMember) }),
    read: (values) => ({
      members: listOf(values, 'member'),
      on: waitlistMember.options.filter((member) => listOf(values, member).includes('true')),
    }),
    run: ({ liveSettings }, { members, on }, { by }) =>
      liveSettings.update(
        Object.fromEntries(members.map((member) => [member, on.includes(member)])),
        by,
      ),
    to: settingsPath('general'),
    done: 'changed',
  }),
  undo('general', 'general'),
  undo('sign-in', 'sign_in'),
  undo('analytics', 'analytics'),
];
