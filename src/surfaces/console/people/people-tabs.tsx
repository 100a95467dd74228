import { signupResource } from '../../../areas/signup/resource.ts';
import type { Html } from '../../../lib/text/html.ts';
import type { Resource } from '../../../platform/resource/resource.ts';
import type { ConsoleServices } from '../context.ts';
import { count } from '../components/number-format.ts';
import { tabs } from '../components/navigation.tsx';
import { resourcePath } from '../resources/resource-paths.ts';
import { sectionPath } from '../sections.ts';
import { invitationsPath } from './invitations/invitations-path.ts';
import { texts } from './texts/en.ts';

/** Users, those who were invited, and sign-ups: lists of people, a page away from each other. */
export const peopleTabs = (
  current: 'users' | 'invitations' | 'signUps',
  { users, invited }: { users: number; invited: number },
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
      text: texts.users.signUps,
      isCurrent: current === 'signUps',
    },
  ]);

/** The tabs of a list that is made from a resource. Undefined for one that is not of people. */
export async function tabsOfList(
  { users, invitations }: Pick<ConsoleServices, 'users' | 'invitations'>,
  { name }: Resource,
  signal: AbortSignal,
): Promise<Html | undefined> {
  if (name !== signupResource.name) return undefined;
  const [totals, invited] = await Promise.all([
    users.totals(signal),
    invitations.countPending(signal),
  ]);
  return peopleTabs('signUps', { users: totals.all, invited });
}
