import type { MenuEntry } from '../../platform/ui/pages.tsx';
import { texts } from './texts/en.ts';

/** Links of the footer of these pages. */
export const footerLinks: readonly MenuEntry[] = [
  ['/privacy', texts.footer.privacy],
  ['/status', texts.footer.status],
];

/** Links of the footer of the sign-in page, where people can sign up. */
export const footerLinksWithSignup: readonly MenuEntry[] = [
  ...footerLinks,
  ['/signup', texts.footer.signUp],
];
