import { accountPath, signOutPath } from '../../lib/site-paths.ts';
import { html, type Html } from '../../lib/text/html.ts';
import type { Page } from './pages.ts';

export interface Link {
  href: string;
  text: string;
}

export interface ForbiddenPageOptions {
  /** A page near the refused one that this person may open. */
  open?: Link | undefined;
  contactEmail: string | undefined;
}

const ownPlaces: readonly Link[] = [
  { href: accountPath, text: 'Your account' },
  { href: '/', text: 'Home' },
];

const whom = (contactEmail: string | undefined): Html =>
  contactEmail === undefined
    ? html`an admin of this service`
    : html`<a href="mailto:${contactEmail}">${contactEmail}</a>`;

/**
 * What somebody sees who is signed in, but whose account lacks the role for what was asked. It
 * leads only to pages that this person may open: a link to the refused page would show this one
 * again.
 */
export function forbiddenPage({ open, contactEmail }: ForbiddenPageOptions): Page {
  const links = open === undefined ? ownPlaces : [open, ...ownPlaces];
  const body = html`<p>You are signed in, but your account does not have the role that this page needs. Nothing was changed.</p>
<p>If you need access, ask ${whom(contactEmail)} to give you the role. If you have another account, sign out and sign in with that one.</p>
<ul>
${links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>\n`)}</ul>
<form method="post" action="${signOutPath}"><button type="submit" class="second">Sign out</button></form>`;
  return { title: 'Your account may not enter', isError: true, body };
}
