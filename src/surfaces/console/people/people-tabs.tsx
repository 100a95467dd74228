import { signupResource } from '../../../areas/signup/resource.ts';
import type { Html } from '../../../lib/text/html.ts';
import type { ConsoleServices } from '../context.ts';
import { count } from '../components/number-format.ts';
import { tabs } from '../components/navigation.tsx';
import { resourcePath } from '../resources/resource-paths.ts';
import { sectionPath } from '../sections.ts';
import { invitationsPath } from './invitations/invitations-path.ts';
import { texts } from './texts/en.ts';

/** How many users, pending invitations and sign-ups there are. */
export interface PeopleCounts {
  users: number;
  invited: number;
  signUps: number;
}

/** Users, those who were invited, and sign-ups: lists of people, a page away from each other. */
export const peopleTabs = (
  current: 'users' | 'invitations' | 'signUps',
  { users, invited, signUps }: PeopleCounts,
): Html =>
  tabs(texts.users.title, [
    {
      href: sectionPath('users'),
      text: texts.users.tab({ count: count(users) }),
      isCurrent: current === 'users',
    },
    {
      href: invitationsPath,
      text: texts.invitations.tab({ count: invited }),
      isCurrent: current === 'invitations',
    },
    {
      href: resourcePath(signupResource),
      text: texts.users.signUps({ count: count(signUps) }),
      isCurrent: current === 'signUps',
    },
  ]);

/** Reads what the tabs count. */
export async function readPeopleCounts(
  { users, invitations, signups }: Pick<ConsoleServices, 'users' | 'invitations' | 'signups'>,
  signal: AbortSignal,
): Promise<PeopleCounts> {
  const [totals, invited, signUps] = await Promise.all([
    users.totals(signal),
    invitations.countPending(signal),
    signups.count(),
  ]);
  return { users: totals.all, invited, signUps };
}
