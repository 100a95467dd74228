import type { Content } from '../../../lib/text/html.ts';
import type { ConsolePage } from '../layout.tsx';

export interface FormPageOptions extends Pick<ConsolePage, 'section' | 'title' | 'breadcrumbs'> {
  /** What the form is about: a `FormAbout`, `Points`. Beside the form; in a drawer, above it. */
  about?: Content;
  /** One `ConsoleForm`, and what stands before it. */
  children: Content;
}

/**
 * The page of one form, which a `DrawerLink` opens in a drawer. It stands alone without JavaScript,
 * and after a reload.
 */
export const formPage = ({ about, children, ...page }: FormPageOptions): ConsolePage => ({
  ...page,
  body: (
    <div class="form-layout">
      {about !== undefined && <div class="form-about">{about}</div>}
      <div class="tile form-page">{children}</div>
    </div>
  ),
});
