import { accountPath, signOutPath } from '../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import type { Page } from './pages.tsx';

export interface Link {
  href: string;
  text: string;
}

export interface ForbiddenPageOptions {
  /** A page near the refused one that this user may open. */
  open?: Link | undefined;
  contactEmail: string | undefined;
}

const ownPages: readonly Link[] = [
  { href: accountPath, text: 'Your account' },
  { href: '/', text: 'Home' },
];

const missingRole =
  'You are signed in, but your account does not have the role that this page needs. ' +
  'Nothing was changed.';
const otherAccount = 'If you have another account, sign out and sign in with that one.';

const whom = (contactEmail: string | undefined): Html =>
  contactEmail === undefined ? (
    <>an admin of this service</>
  ) : (
    <a href={`mailto:${contactEmail}`} safe>
      {contactEmail}
    </a>
  );

/**
 * Returns the 403 page for a signed-in user who lacks a role. It links only to pages that the user
 * may open: a link to the refused page would lead here again.
 */
export function forbiddenPage({ open, contactEmail }: ForbiddenPageOptions): Page {
  const links = open === undefined ? ownPages : [open, ...ownPages];
  const items = links.map(({ href, text }) => (
    <li>
      <a href={href} safe>
        {text}
      </a>
    </li>
  ));
  const signOut = (
    <button type="submit" class="second">
      Sign out
    </button>
  );
  const body = (
    <>
      <p safe>{missingRole}</p>
      <p>
        If you need access, ask {whom(contactEmail)} to give you the role.{' '}
        {escapeHtml(otherAccount)}
      </p>
      <ul>{items}</ul>
      <form method="post" action={signOutPath}>
        {signOut}
      </form>
    </>
  );
  return { title: 'Your account may not enter', isError: true, body };
}
