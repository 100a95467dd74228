import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { SessionRecord } from '../../../../areas/identity/sessions/records.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Icon, type IconName } from '../../../../platform/ui/icon.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import type { DeviceRow } from '../devices/device-table.tsx';
import { deviceIcon, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import type { UserDevicesView } from './user-view.ts';

const words = texts.user.sessions;

const iconOf = ({ via, client }: SessionRecord): IconName =>
  via === 'cookie' ? deviceIcon(client) : 'devices';

/** What a session runs in: its client, and the device and place if they are known. */
function clientCell(
  session: SessionRecord,
  devices: readonly DeviceRow[],
  currentId: string | undefined,
): Html {
  const { id, client, via, device } = session;
  const found = devices.find((each) => each.id === device?.id);
  const name = found === undefined || found.name === client ? undefined : found.name;
  const facts = [via === 'cookie' ? undefined : words.app, name, found?.place];
  return (
    <div class="person">
      <span class="avatar avatar-none" aria-hidden="true">
        <Icon name={iconOf(session)} />
      </span>
      <div>
        <span id={`session-${id}`} safe>
          {client}
        </span>{' '}
        {id === currentId && <Badge text={words.current} tone="info" />}
        <span class="hint" safe>
          {facts.filter((each) => each !== undefined).join(' · ') || words.browser}
        </span>
      </div>
    </div>
  );
}

const signInTexts: Readonly<Partial<Record<string, string>>> = texts.signIns;

/** How a session was started: the first method, and whether a second factor followed. */
function signInText({ amr, acr }: SessionRecord): Html {
  const [first = ''] = amr;
  const text = signInTexts[first] ?? words.otherMethod({ methods: amr.join(', ') });
  return (
    <>
      {escapeHtml(text)} {acr === 'aal2' && <Badge text={words.factor} tone="ok" />}
    </>
  );
}

function sessionColumns(
  { user, devices }: UserDevicesView,
  currentId: string | undefined,
): Column<SessionRecord>[] {
  const { columns } = words;
  return [
    {
      title: columns.client,
      cell: (session) => clientCell(session, devices, currentId),
    },
    { title: columns.method, cell: signInText },
    { title: columns.started, cell: ({ created_at: at }) => <Time at={at} /> },
    { title: columns.used, cell: ({ used_at: at }) => <Time at={at} /> },
    {
      title: texts.actions,
      cell: ({ id }) => (
        <div class="btn-row row-actions">
          <ActionButton
            action={`${userPath(user.id)}/sessions/end`}
            values={{ session: id }}
            label={words.end}
            about={`session-${id}`}
          />
        </div>
      ),
      isTitleHidden: true,
      isNumber: true,
    },
  ];
}

/** The sessions of a user. `currentId`: the viewer's own session. */
export function sessionsPanel(view: UserDevicesView, currentId: string | undefined): Html {
  const { sessions, user } = view;
  const endAllForm = (
    <ActionButton action={`${userPath(user.id)}/sessions/end-all`} label={words.endAll} />
  );
  return (
    <Card
      id="sessions"
      title={words.title({ count: sessions.length })}
      isLive
      actions={sessions.length < 2 ? undefined : endAllForm}
      hint={sessions.length === 0 ? undefined : words.hint}
    >
      <Table
        caption={words.caption}
        columns={sessionColumns(view, currentId)}
        rows={sessions}
        empty={<EmptyState icon="list" text={words.none} />}
      />
    </Card>
  );
}
