import type { Html } from '../../../../lib/text/html.ts';
import type { Role } from '../../../../lib/access.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import { doneNotice, UndoButton } from '../../components/notices.tsx';
import type { DeviceRow } from '../devices/device-table.tsx';
import { undoOfDevice } from '../devices/device-undo.tsx';
import { userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';

interface Noticed {
  user: ListedUser;
  devices?: readonly DeviceRow[];
}

/** A form that reverts what was just done. Undefined if it no longer applies. */
function undoOf(
  { user, devices = [] }: Noticed,
  done: string,
  about: string | undefined,
): Html | undefined {
  const place = userPath(user.id);
  const role = (verb: 'give' | 'take', name: Role) => (
    <UndoButton action={`${place}/roles/${verb}`} values={{ role: name }} />
  );
  if (done === 'disabled' && user.disabledAt !== null)
    return <UndoButton action={`${place}/enable`} />;
  const [, name, verb] = /^(admin|viewer)_(given|taken)$/.exec(done) ?? [];
  if (name === 'admin' || name === 'viewer') {
    const isGiven = user.roles.includes(name);
    if (verb === 'given' && isGiven) return role('take', name);
    return verb === 'taken' && !isGiven ? role('give', name) : undefined;
  }
  return undoOfDevice(
    devices.find(({ id }) => id === about),
    done,
    'user',
  );
}

/** What was just done, with a form that reverts it. */
export function userNotice(
  view: Noticed,
  isOwn: boolean,
  { done, about }: { done?: string | undefined; about?: string | undefined },
): Html | undefined {
  const undo = isOwn || done === undefined ? undefined : undoOf(view, done, about);
  return doneNotice(texts.user.notices, done, { undo });
}
