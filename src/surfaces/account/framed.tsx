import { type AccountPart, accountFrame } from '../../areas/identity/account/frame.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import type { AccountView } from './account.ts';
import { deletionBanner } from './deletion-banner.tsx';
import { doneNotice } from './done-notices.tsx';
import { factorResetBanner } from './factor-reset-banner.tsx';

/** A page of the account in its frame, with what was just done and what needs attention. */
export function framed(
  view: AccountView,
  part: AccountPart,
  done: string | undefined,
  page: Page,
): Page {
  const { session, profile, picture } = view;
  const person = {
    name: profile.name,
    email: profile.email,
    phone: profile.phone_number,
    picture,
    roles: session.user.roles,
  };
  return accountFrame(person, part, {
    script: 'account.js',
    ...page,
    body: (
      <>
        {doneNotice(done)}
        {deletionBanner(view)}
        {factorResetBanner(view)}
        {page.body}
      </>
    ),
  });
}

/** A form on a page of its own: it stands where the card that led to it does. */
export const framedForm = (view: AccountView, part: AccountPart, page: Page): Page =>
  framed(view, part, undefined, {
    ...page,
    script: undefined,
    body: <div class="tile">{page.body}</div>,
  });
