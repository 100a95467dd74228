import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { formPage } from '../../components/form-page.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { StateBadge } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { type DeviceRow, devicePath, isReversible } from './device-table.tsx';

const words = texts.devices.table;
const { removal } = texts.devices;

function facts(device: DeviceRow): (Fact | undefined)[] {
  const { state, reasons, program, bound, place, firstSeen, lastSeen, expiresAt } = device;
  const { columns } = words;
  return [
    { name: columns.status, value: <StateBadge state={state} /> },
    reasons.length === 0
      ? undefined
      : { name: words.reasons, value: escapeHtml(reasons.join(' ')) },
    { name: words.program, value: escapeHtml(program) },
    { name: columns.bound, value: escapeHtml(bound) },
    { name: words.place, value: escapeHtml(place) },
    { name: columns.firstSeen, value: <Time at={firstSeen} /> },
    { name: columns.lastSeen, value: <Time at={lastSeen} /> },
    state === 'cleared'
      ? { name: columns.expires, value: <OptionalTime at={expiresAt} /> }
      : undefined,
  ];
}

/** Lock or unlock it. */
function otherButton({ id, state }: DeviceRow): Html | undefined {
  const button = (verb: string, label: string) => (
    <Button label={label} attributes={{ formaction: `${devicePath(id)}/${verb}` }} />
  );
  if (state === 'cleared') return button('suspend', words.suspend);
  return state === 'suspended' ? button('restore', words.restore) : undefined;
}

function actions(device: DeviceRow, from: string | undefined): Html | undefined {
  const { undoableUntil } = device;
  if (undoableUntil !== undefined)
    return (
      <ConsoleForm
        action={`${devicePath(device.id)}/restore`}
        values={{ from }}
        submit={{ label: removal.undo, kind: 'secondary' }}
      >
        <p class="hint">{rich(removal.undoable, { time: () => <Time at={undoableUntil} /> })}</p>
      </ConsoleForm>
    );
  if (device.state === 'revoked') return undefined;
  return (
    <ConsoleForm
      action={`${devicePath(device.id)}/revoke`}
      values={{ from }}
      submit={{ label: removal.submit, kind: 'secondary' }}
      otherButtons={otherButton(device)}
    >
      <p class="hint" safe>
        {isReversible(device) ? removal.reversible : removal.final}
      </p>
    </ConsoleForm>
  );
}

export interface DevicePageOptions {
  device: DeviceRow;
  /** Its owner, as lists show people. */
  person: Html | undefined;
  isOwn: boolean;
  /** The page that its forms lead back to. */
  from: string | undefined;
}

/** A device, and what can be done about it. */
export const devicePage = ({ device, person, isOwn, from }: DevicePageOptions): ConsolePage =>
  formPage({
    section: 'devices',
    title: device.name,
    breadcrumbs: [{ href: sectionPath('devices'), text: texts.devices.title }],
    children: (
      <>
        {person}
        <Facts facts={facts(device)} />
        {isOwn ? (
          <p>
            <a href="/account/devices" safe>
              {texts.devices.yourDevices}
            </a>
          </p>
        ) : (
          actions(device, from)
        )}
      </>
    ),
  });
