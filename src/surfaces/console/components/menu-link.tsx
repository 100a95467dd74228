import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';

export interface MenuLinkOptions {
  href: string;
  icon: IconName;
  text: string;
  /** Leads to the page of a form, which opens in a drawer. */
  isDrawer?: boolean;
  /** Downloads a file. */
  isDownload?: boolean;
  /** What can't be undone: last, below a line. */
  isApart?: boolean;
}

/** A link in a `Menu`, with its icon. */
export const MenuLink = (options: MenuLinkOptions): Html => {
  const { href, icon, text, isDrawer = false, isDownload = false, isApart = false } = options;
  return (
    <a
      href={href}
      class={isApart ? 'menu-apart' : undefined}
      download={isDownload}
      data-drawer={isDrawer}
    >
      <Icon name={icon} />
      {escapeHtml(text)}
    </a>
  );
};
