import type { Html } from '../../../../lib/text/html.ts';
import { ActionButton } from '../../components/console-form.tsx';
import { UndoButton } from '../../components/notices.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';
import type { DeviceRow } from './device-table.tsx';

const isUndoable = (done: string, until: Date | undefined): boolean =>
  done === 'revoked' && until !== undefined;

/**
 * A form that reverts what was just done to a device. `from`: the page that it leads back to.
 * Undefined if it no longer applies.
 */
export function undoOfDevice(
  device: Pick<DeviceRow, 'id' | 'state' | 'undoableUntil'> | undefined,
  done: string,
  from?: 'user',
): Html | undefined {
  if (device === undefined) return undefined;
  const { id, state, undoableUntil } = device;
  const form = (verb: 'restore' | 'suspend') => ({
    action: `${sectionPath('devices')}/${id}/${verb}`,
    values: { from },
  });
  if ((done === 'suspended' && state === 'suspended') || isUndoable(done, undoableUntil))
    return <UndoButton {...form('restore')} />;
  if (done === 'restored' && state === 'cleared') return <UndoButton {...form('suspend')} />;
  return done === 'approved' && state === 'cleared' ? (
    <ActionButton {...form('suspend')} label={texts.devices.suspendApproved} />
  ) : undefined;
}
