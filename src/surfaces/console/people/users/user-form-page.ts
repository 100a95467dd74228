import type { User } from '../../../../areas/identity/users/model.ts';
import type { Content } from '../../../../lib/text/html.ts';
import { formPage } from '../../components/form-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { nameOf, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';

/** A page with one form about a user, which opens in a drawer. */
export const userFormPage = (user: User, title: string, children: Content): ConsolePage =>
  formPage({
    section: 'users',
    title,
    breadcrumbs: [
      { href: sectionPath('users'), text: texts.users.title },
      { href: userPath(user.id), text: nameOf(user) },
    ],
    children,
  });
