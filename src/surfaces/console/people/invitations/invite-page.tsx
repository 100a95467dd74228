import { CreateInvitationBody } from '../../../../areas/identity/invitations/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { CheckField, FieldSet } from '../../../../platform/ui/components/form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { formPage } from '../../components/form-page.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';
import { invitationsPath } from './invitations-path.ts';

const roles = ['viewer', 'admin', 'none'] as const;
const words = texts.invitations.invite;

/** Opens the form in a drawer. */
export const inviteLink = (): Html => (
  <DrawerLink label={words.open} icon="plus" kind="primary" href={`${invitationsPath}/new`} />
);

/** The form for an invitation. `expires`: the day on which an invitation of now ends. */
export function invitePage(expires: string): ConsolePage {
  const field = fieldsOf(CreateInvitationBody, { idPrefix: 'invite', texts: words });
  return formPage({
    section: 'users',
    title: words.title,
    breadcrumbs: [
      { href: sectionPath('users'), text: texts.users.title },
      { href: invitationsPath, text: texts.invitations.title },
    ],
    children: (
      <ConsoleForm
        action={invitationsPath}
        submit={{ label: words.submit }}
        cancel={invitationsPath}
      >
        {field('email', { hint: words.emailHint({ day: expires }) })}
        <FieldSet legend={words.roleLegend}>
          {roles.map((role) => (
            <CheckField
              id={`invite-role-${role}`}
              name="role"
              type="radio"
              value={role}
              label={words.values.role[role]}
              hint={words.roleHints[role]}
              isChecked={role === 'viewer'}
            />
          ))}
        </FieldSet>
        {field('note', { rows: 3 })}
      </ConsoleForm>
    ),
  });
}
