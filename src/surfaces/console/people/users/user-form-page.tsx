import type { User } from '../../../../areas/identity/users/model.ts';
import { type Content, escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Avatar } from '../../../../platform/ui/components/avatar.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { FormAbout } from '../../components/form-about.tsx';
import { formPage } from '../../components/form-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { addressOf, nameOf, userPath } from '../labels.tsx';
import { pictureOf } from '../person.tsx';
import { texts } from '../texts/en.ts';

/** Who a form is about. */
function aboutUser(user: User): Html {
  const { columns, roles } = texts.users;
  const name = nameOf(user);
  const address = addressOf(user);
  return (
    <FormAbout
      title={name}
      picture={<Avatar name={name} picture={pictureOf(user)} />}
      detail={address === name ? undefined : address}
      facts={[
        user.roles.length === 0
          ? undefined
          : {
              name: columns.roles,
              value: escapeHtml(user.roles.map((role) => roles[role]).join(', ')),
            },
        { name: columns.created, value: <Time at={user.createdAt.toISOString()} /> },
      ]}
    />
  );
}

/** A page with one form about a user, which opens in a drawer. */
export const userFormPage = (user: User, title: string, children: Content): ConsolePage =>
  formPage({
    section: 'users',
    title,
    breadcrumbs: [
      { href: sectionPath('users'), text: texts.users.title },
      { href: userPath(user.id), text: nameOf(user) },
    ],
    about: aboutUser(user),
    children,
  });
