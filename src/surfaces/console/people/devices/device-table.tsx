import type { Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { Device } from '../../../../areas/identity/devices/store.ts';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { below, StateBadge, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import { requestPath } from './request-queue.tsx';

/** A device, with texts. */
export interface DeviceRow {
  id: string;
  userId: string;
  /** Display name of its owner. */
  owner: string;
  name: string;
  /** A device whose removal can still be undone counts as removed. */
  state: Device['state'];
  /** Its open request for approval. */
  requestId?: string | undefined;
  /** Until when its removal can be undone. */
  undoableUntil: Date | undefined;
  /** Browser and system. */
  program: string;
  /** What binds it. */
  bound: string;
  /** Country and network where it was last seen. */
  place: string;
  /** Why it is suspended. */
  reasons: readonly string[];
  firstSeen: Date;
  lastSeen: Date;
  expiresAt: Date | null;
}

/** The page of a device. */
export const devicePath = (id: string): string => `${sectionPath('devices')}/${id}`;

const words = texts.devices.table;

/** True for a device whose removal can be undone: one that has an approval to lose. */
export const isReversible = ({ state }: Pick<DeviceRow, 'state'>): boolean =>
  state === 'cleared' || state === 'suspended';

export interface DeviceTableOptions {
  caption: string;
  devices: readonly DeviceRow[];
  viewerId: string;
  /** `user`: the table is on the page of the owner, and has no column for the owner. */
  from?: 'user' | undefined;
  /** Shown instead of a table without devices. */
  empty: Html;
}

/** The actions for a device. `from`: the page that the forms lead back to. */
function actionForms(
  { id, state, requestId, undoableUntil }: DeviceRow,
  from: DeviceTableOptions['from'],
): Html {
  const form = (verb: string, label: string) => (
    <ActionButton
      action={`${devicePath(id)}/${verb}`}
      values={{ from }}
      label={label}
      about={`device-${id}`}
    />
  );
  return (
    <div class="btn-row row-actions">
      {state === 'pending' && requestId !== undefined && (
        <DrawerLink
          label={words.approve}
          size="small"
          href={requestPath(requestId)}
          about={`device-${id}`}
        />
      )}
      {state === 'cleared' && form('suspend', words.suspend)}
      {state === 'suspended' && form('restore', words.restore)}
      {undoableUntil !== undefined && form('restore', words.undo)}
      {state !== 'revoked' && (
        <DrawerLink
          label={words.remove}
          kind="ghost"
          size="small"
          href={withQuery(`${devicePath(id)}/remove`, { from })}
          about={`device-${id}`}
        />
      )}
    </div>
  );
}

const nameCell = ({ id, name, program }: DeviceRow, from: DeviceTableOptions['from']): Html => (
  <>
    <a id={`device-${id}`} href={withQuery(devicePath(id), { from })} data-drawer safe>
      {name}
    </a>
    {program !== name && below(program)}
  </>
);

const stateCell = ({ state, reasons, undoableUntil }: DeviceRow): Html => (
  <>
    <StateBadge state={state} />
    {undoableUntil === undefined ? (
      reasons.map(below)
    ) : (
      <>
        <br />
        <span class="hint">
          {rich(words.undoable, { time: () => <Time at={undoableUntil} /> })}
        </span>
      </>
    )}
  </>
);

const seenCell = ({ lastSeen, place }: DeviceRow): Html => (
  <>
    <Time at={lastSeen} />
    {below(place)}
  </>
);

const ownLink = (
  <a href="/account/devices" safe>
    {words.own}
  </a>
);

function deviceColumns({ viewerId, from }: DeviceTableOptions): Column<DeviceRow>[] {
  const { columns } = words;
  const owner: Column<DeviceRow> = {
    title: columns.owner,
    cell: ({ userId, owner: name }) => userLink(userId, name),
  };
  return [
    { title: columns.device, cell: (device) => nameCell(device, from) },
    ...(from === undefined ? [owner] : []),
    { title: columns.status, cell: stateCell },
    { title: columns.lastSeen, cell: seenCell },
    {
      title: texts.actions,
      cell: (device) => (device.userId === viewerId ? ownLink : actionForms(device, from)),
      isTitleHidden: true,
      isNumber: true,
    },
  ];
}

/** A table of devices with actions. Viewers manage their own devices on another page. */
export const DeviceTable = (options: DeviceTableOptions): Html => (
  <Table
    caption={options.caption}
    columns={deviceColumns(options)}
    rows={options.devices}
    rowId={({ id }) => `row-${id}`}
    empty={options.empty}
  />
);
