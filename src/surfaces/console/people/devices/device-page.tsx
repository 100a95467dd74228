import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { User } from '../../../../areas/identity/users/model.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Icon } from '../../../../platform/ui/icon.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { formPage } from '../../components/form-page.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { addressOf, deviceIcon, nameOf, StateBadge, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { type DeviceRow, devicePath, isReversible } from './device-table.tsx';
import { requestPath } from './request-queue.tsx';

const words = texts.devices.table;
const { queue, removal } = texts.devices;

/** Whose device it is, and its state. */
const head = ({ program, state }: DeviceRow, owner: User | undefined): Html => (
  <div class="device-head">
    <div class="person">
      <span class="avatar avatar-none" aria-hidden="true">
        <Icon name={deviceIcon(program)} />
      </span>
      <div>
        {owner && userLink(owner.id, nameOf(owner))}
        {owner?.name != null && <span class="hint">{escapeHtml(addressOf(owner) ?? '')}</span>}
      </div>
    </div>
    <StateBadge state={state} />
  </div>
);

function facts(device: DeviceRow): (Fact | undefined)[] {
  const { state, reasons, program, bound, place, firstSeen, lastSeen, expiresAt } = device;
  const { columns } = words;
  return [
    reasons.length === 0
      ? undefined
      : { name: words.reasons, value: escapeHtml(reasons.join(' ')) },
    { name: queue.browser, value: escapeHtml(program) },
    { name: queue.bound, value: escapeHtml(bound) },
    { name: queue.location, value: escapeHtml(place) },
    { name: columns.firstSeen, value: <Time at={firstSeen} /> },
    { name: columns.lastSeen, value: <Time at={lastSeen} /> },
    state === 'cleared'
      ? { name: columns.expires, value: <OptionalTime at={expiresAt} /> }
      : undefined,
  ];
}

/** What can be done besides its removal. */
function otherButton({ id, state, requestId }: DeviceRow): Html | undefined {
  const button = (verb: string, label: string) => (
    <Button label={label} attributes={{ formaction: `${devicePath(id)}/${verb}` }} />
  );
  if (state === 'pending' && requestId !== undefined)
    return <DrawerLink label={words.approve} kind="primary" href={requestPath(requestId)} />;
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
        {isReversible(device) ? removal.pageReversible : removal.pageFinal}
      </p>
    </ConsoleForm>
  );
}

export interface DevicePageOptions {
  device: DeviceRow;
  owner: User | undefined;
  isOwn: boolean;
  /** The page that its forms lead back to. */
  from: string | undefined;
}

/** A device, and what can be done about it. */
export const devicePage = ({ device, owner, isOwn, from }: DevicePageOptions): ConsolePage =>
  formPage({
    section: 'devices',
    title: device.name,
    breadcrumbs: [{ href: sectionPath('devices'), text: texts.devices.title }],
    children: (
      <>
        {head(device, owner)}
        <div class="fact-pairs">
          <Facts facts={facts(device)} />
        </div>
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
