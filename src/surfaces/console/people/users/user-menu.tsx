import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { Role } from '../../../../lib/access.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import { Icon, type IconName } from '../../../../platform/ui/icon.tsx';
import { DrawerItem } from '../../components/drawer-link.tsx';
import { userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';

const words = texts.user.menu;

/**
 * What an admin can do with an account. What acts at once is a button of the form that the menu
 * stands in, or of the one with the id `form`.
 */
export function userMenuItems(
  { id, roles, disabledAt }: Pick<ListedUser, 'id' | 'roles' | 'disabledAt'>,
  isOwn: boolean,
  form?: string,
): Html[] {
  const actItem = (action: string, icon: IconName, text: string): Html => (
    <button type="submit" form={form} formaction={action}>
      <Icon name={icon} />
      {escapeHtml(text)}
    </button>
  );
  const place = userPath(id);
  const role = (name: Role): Html =>
    DrawerItem({
      href: `${place}/roles/${name}`,
      icon: 'shield',
      label: words[roles.includes(name) ? 'remove' : 'make'][name],
    });
  const edit = DrawerItem({ href: `${place}/edit`, icon: 'edit', label: words.edit });
  const signOut = actItem(`${place}/sessions/end-all`, 'log-out', words.signOut);
  if (isOwn) return [edit, signOut];
  return [
    edit,
    role('admin'),
    ...(roles.includes('admin') ? [] : [role('viewer')]),
    signOut,
    disabledAt === null
      ? DrawerItem({ href: `${place}/suspend`, icon: 'pause', label: words.suspend })
      : actItem(`${place}/enable`, 'success', words.resume),
    DrawerItem({ href: `${place}/delete`, icon: 'trash', label: words.delete, isApart: true }),
  ];
}
