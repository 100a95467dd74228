import { accountPath, signOutPath } from '../../lib/site-paths.ts';
import { Form } from './components/form.tsx';
import { mailtoUrl } from '../../lib/net/mailto.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import type { Page } from './pages.tsx';
import { texts } from './texts/en.ts';

export interface Link {
  href: string;
  text: string;
}

export interface ForbiddenPageOptions {
  /** A page near the refused one that this user may open. */
  open?: Link | undefined;
  contactEmail: string | undefined;
}

const { forbidden } = texts;

const ownPages: readonly Link[] = [
  { href: accountPath, text: forbidden.account },
  { href: '/', text: forbidden.home },
];

function askFor(contactEmail: string | undefined): Html {
  if (contactEmail === undefined) return escapeHtml(forbidden.askAdmin);
  const contact = (): Html => (
    <a href={mailtoUrl(contactEmail)} safe>
      {contactEmail}
    </a>
  );
  return rich(forbidden.askContact, { contact });
}

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
  const body = (
    <>
      <p safe>{forbidden.role}</p>
      <p>
        {askFor(contactEmail)} {escapeHtml(forbidden.otherAccount)}
      </p>
      <ul>{items}</ul>
      <Form
        action={signOutPath}
        isInline
        submit={{ label: forbidden.signOut, kind: 'secondary', icon: 'log-out' }}
      />
    </>
  );
  return { title: forbidden.title, isError: true, body };
}
