import type { Html } from '../../../../lib/text/html.ts';
import { Field, SelectField, TextField } from '../../../../platform/ui/components/form.tsx';
import { Dialog } from '../../../../platform/ui/components/overlay.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { texts } from '../texts/en.ts';
import { invitationsPath } from './invitations-path.ts';

const words = texts.invitations.invite;

/** The button that opens the form for an invitation. */
export const InviteDialog = (): Html => (
  <Dialog
    id="invite"
    title={words.title}
    open={words.open}
    close={words.close}
    icon="plus"
    kind="primary"
  >
    <ConsoleForm action={invitationsPath} submit={{ label: words.submit }}>
      <Field
        id="invite-email"
        name="email"
        type="email"
        label={words.email}
        hint={words.emailHint}
        maxLength={320}
        isRequired
      />
      <SelectField
        id="invite-role"
        name="role"
        label={words.role}
        options={[
          ['none', words.roles.none],
          ['viewer', words.roles.viewer],
          ['admin', words.roles.admin],
        ]}
        value="viewer"
      />
      <TextField id="invite-note" name="note" label={words.note} rows={3} maxLength={500} />
    </ConsoleForm>
  </Dialog>
);
