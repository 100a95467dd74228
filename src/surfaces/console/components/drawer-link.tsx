import type { Html } from '../../../lib/text/html.ts';
import { Button, type ButtonOptions } from '../../../platform/ui/components/button.tsx';

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
