import type { Content } from '../../../lib/text/html.ts';
import type { ConsolePage } from '../layout.tsx';

export interface FormPageOptions extends Pick<ConsolePage, 'section' | 'title' | 'breadcrumbs'> {
  /** One `ConsoleForm`, and what stands before it. */
  children: Content;
}

/**
 * The page of one form, which a `DrawerLink` opens in a drawer. It stands alone without JavaScript,
 * and after a reload.
 */
export const formPage = ({ children, ...page }: FormPageOptions): ConsolePage => ({
  ...page,
  body: <div class="tile form-page">{children}</div>,
});
