import { CreateInvitationBody } from '../../../../areas/identity/invitations/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { CheckField, FieldSet, TextField } from '../../../../platform/ui/components/form.tsx';
import { Table } from '../../../../platform/ui/components/table.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { formPage } from '../../components/form-page.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';
import type { InviteResult } from './invite-form.ts';
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
        <TextField
          id="invite-email"
          name="email"
          label={words.fields.email}
          hint={words.emailHint({ day: expires })}
          rows={2}
          isRequired
          attributes={{ inputmode: 'email', spellcheck: 'false', autocapitalize: 'off' }}
        />
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

/** Who was invited and who was not, when that is not everyone. */
export const inviteResultPage = ({ sent, refused }: InviteResult): ConsolePage => ({
  section: 'users',
  title: words.resultTitle({ count: sent }),
  breadcrumbs: [
    { href: sectionPath('users'), text: texts.users.title },
    { href: invitationsPath, text: texts.invitations.title },
  ],
  actions: (
    <>
      <Button label={texts.invitations.showAll} href={invitationsPath} />
      {inviteLink()}
    </>
  ),
  body: (
    <Card id="refused" title={words.refused({ count: refused.length })}>
      <Table
        caption={words.refused({ count: refused.length })}
        columns={[
          { title: texts.invitations.columns.email, text: ({ email }) => email },
          { title: words.why, text: ({ detail }) => detail },
        ]}
        rows={refused}
      />
    </Card>
  ),
});
