import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';

export interface MenuLinkOptions {
  label: string;
  icon: IconName;
  href: string;
  isDownload?: boolean;
}

/** A link to another page, or to a file, as an item of a `Menu`. */
export const MenuLink = ({ label, icon, href, isDownload = false }: MenuLinkOptions): Html => (
  <a href={href} download={isDownload}>
    <Icon name={icon} />
    {escapeHtml(label)}
  </a>
);
