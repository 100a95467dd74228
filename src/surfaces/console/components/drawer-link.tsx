import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Button, type ButtonOptions } from '../../../platform/ui/components/button.tsx';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';

export interface DrawerLinkOptions extends Pick<
  ButtonOptions,
  'label' | 'icon' | 'kind' | 'size' | 'isIconOnly'
> {
  /** A page with one `ConsoleForm`: `…/new`. */
  href: string;
  /** Id of what it is about, which screen readers read with it. */
  about?: string | undefined;
}

/** Links to the page of a form. The script opens it in a drawer; without one it is a page. */
export const DrawerLink = ({ about, ...button }: DrawerLinkOptions): Html => (
  <Button {...button} attributes={{ 'data-drawer': true, 'aria-describedby': about }} />
);

export interface DrawerItemOptions {
  label: string;
  icon: IconName;
  /** A page with one `ConsoleForm`. */
  href: string;
  /** Stands apart from the other items, as what can't be undone does. */
  isApart?: boolean;
}

/** The same as an item of a `Menu`. */
export const DrawerItem = ({ label, icon, href, isApart = false }: DrawerItemOptions): Html => (
  <a href={href} class={isApart ? 'menu-apart' : undefined} data-drawer>
    <Icon name={icon} />
    {escapeHtml(label)}
  </a>
);
