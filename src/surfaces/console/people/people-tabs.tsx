import { signupResource } from '../../../areas/signup/resource.ts';
import type { Html } from '../../../lib/text/html.ts';
import { count } from '../components/number-format.ts';
import { tabs } from '../components/navigation.tsx';
import { resourcePath } from '../resources/resource-paths.ts';
import { sectionPath } from '../sections.ts';
import { invitationsPath } from './invitations/invitations-path.ts';
import { texts } from './texts/en.ts';

/** Users, and those who were invited: two lists of people, one page away from each other. */
export const peopleTabs = (
  current: 'users' | 'invitations',
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
    { href: resourcePath(signupResource), text: texts.users.signUps, isCurrent: false },
  ]);
