import { hasAnyRole, type Role } from '../../../lib/access.ts';
import {
  accountDataPath,
  accountDevicesPath,
  accountPath,
  accountSecurityPath,
  accountSessionsPath,
  consolePath,
  signOutPath,
} from '../../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Avatar } from '../../../platform/ui/components/avatar.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Form } from '../../../platform/ui/components/form.tsx';
import { Nav, type NavLink } from '../../../platform/ui/components/navigation.tsx';
import type { Page } from '../../../platform/ui/pages.tsx';
import { texts } from './texts/en.ts';

/** Whose account it is. */
export interface FramedPerson {
  name: string | null;
  email: string | null;
  phone: string | null;
  /** Path of the uploaded picture. */
  picture: string | undefined;
  roles: readonly Role[];
}

export type AccountPart = keyof typeof texts.frame.parts;

const { frame } = texts;

const parts: readonly (readonly [AccountPart, string, NavLink['icon']])[] = [
  ['profile', accountPath, 'user'],
  ['security', accountSecurityPath, 'shield'],
  ['sessions', accountSessionsPath, 'monitor'],
  ['devices', accountDevicesPath, 'devices'],
  ['data', accountDataPath, 'database'],
];

function personPart({ name, email, phone, picture }: FramedPerson): Html {
  const address = email ?? phone;
  const shown = name ?? address ?? frame.unnamed;
  return (
    <div class="frame-person">
      <Avatar name={shown} picture={picture} size="large" />
      <p>
        <strong safe>{shown}</strong>
        {name !== null && address !== null ? <span class="hint">{escapeHtml(address)}</span> : ''}
      </p>
    </div>
  );
}

/** Puts a page of the account beside its navigation, with the person at the top. */
export const accountFrame = (person: FramedPerson, current: AccountPart, page: Page): Page => ({
  ...page,
  styles: [...(page.styles ?? []), 'account.css'],
  aside: (
    <>
      {personPart(person)}
      <Nav
        label={frame.label}
        links={parts.map(([part, href, icon]) => ({
          href,
          text: frame.parts[part],
          isCurrent: part === current,
          ...(icon && { icon }),
        }))}
      />
      <div class="frame-more">
        {hasAnyRole(person.roles) ? (
          <Button label={frame.openConsole} icon="overview" kind="ghost" href={consolePath} />
        ) : undefined}
        <Form
          action={signOutPath}
          isInline
          submit={{ label: frame.signOut, icon: 'log-out', kind: 'ghost' }}
        />
      </div>
    </>
  ),
});
