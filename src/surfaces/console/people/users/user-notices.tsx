import type { Html } from '../../../../lib/text/html.ts';
import type { Role } from '../../../../lib/access.ts';
import { ActionButton } from '../../components/console-form.tsx';
import { doneNotice } from '../../components/notices.tsx';
import { userPath } from '../labels.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';
import type { UserView } from './user-view.ts';

const undoDevice = (id: string, verb: 'restore' | 'suspend'): Html => (
  <ActionButton
    action={`${sectionPath('devices')}/${id}/${verb}`}
    values={{ from: 'user' }}
    label={texts.undo}
  />
);

/** A form that reverts what was just done. Undefined if it no longer applies. */
function undoOf(
  { user, devices }: UserView,
  done: string,
  about: string | undefined,
): Html | undefined {
  const place = userPath(user.id);
  const role = (verb: 'give' | 'take', name: Role) => (
    <ActionButton action={`${place}/roles/${verb}`} values={{ role: name }} label={texts.undo} />
  );
  const device = devices.find(({ id }) => id === about);
  if (done === 'suspended' && device?.state === 'suspended')
    return undoDevice(device.id, 'restore');
  if (done === 'restored' && device?.state === 'cleared') return undoDevice(device.id, 'suspend');
  if (done === 'disabled' && user.disabledAt !== null)
    return <ActionButton action={`${place}/enable`} label={texts.user.account.enable} />;
  if (done === 'admin_taken' && !user.roles.includes('admin')) return role('give', 'admin');
  if (done === 'viewer_given' && user.roles.includes('viewer')) return role('take', 'viewer');
  return done === 'viewer_taken' && !user.roles.includes('viewer')
    ? role('give', 'viewer')
    : undefined;
}

/** What was just done, with a form that reverts it. */
export function userNotice(
  view: UserView,
  isOwn: boolean,
  { done, about }: { done?: string | undefined; about?: string | undefined },
): Html | undefined {
  const undo = isOwn || done === undefined ? undefined : undoOf(view, done, about);
  return doneNotice(texts.user.notices, done, { undo });
}
