import { CreateInvitationBody } from '../../../../areas/identity/invitations/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Dialog } from '../../../../platform/ui/components/overlay.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { texts } from '../texts/en.ts';
import { invitationsPath } from './invitations-path.ts';

const words = texts.invitations.invite;

/** The button that opens the form for an invitation. */
export function InviteDialog(): Html {
  const field = fieldsOf(CreateInvitationBody, { idPrefix: 'invite', texts: words });
  return (
    <Dialog
      id="invite"
      title={words.title}
      open={words.open}
      close={words.close}
      icon="plus"
      kind="primary"
    >
      <ConsoleForm action={invitationsPath} submit={{ label: words.submit }}>
        {field('email')}
        {field('role', { value: 'viewer' })}
        {field('note', { rows: 3 })}
      </ConsoleForm>
    </Dialog>
  );
}
