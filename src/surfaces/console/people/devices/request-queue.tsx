import type { z } from 'zod';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Copy, Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { minuteMs } from '../../../../lib/durations.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { RequestView } from '../../../../areas/identity/devices/schemas.ts';
import { duration } from '../../components/number-format.ts';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { below, userLink, userPath } from '../labels.tsx';
import { Person } from '../person.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';

/** A request for approval, with texts. */
export interface ApprovalRequest extends Omit<
  z.output<typeof RequestView>,
  'binding' | 'country' | 'network' | 'browser' | 'os'
> {
  program: string;
  /** What binds it. */
  bound: string;
  /** Country and network. */
  location: string;
}

export interface RequestQueue {
  /** Oldest first. */
  open: readonly ApprovalRequest[];
  /** The latest decisions. */
  decided: readonly ApprovalRequest[];
  now: number;
}

/** The page on which a request is decided. */
export const requestPath = (id: string): string => `${sectionPath('devices')}/requests/${id}`;

const { queue } = texts.devices;

/** How the owner of the device is called. */
export const personOf = ({ user: { name, email, id } }: ApprovalRequest): string =>
  name ?? email ?? id;

/** How long it has been open, in whole minutes. */
const waitingText = ({ created_at: at }: ApprovalRequest, now: number): string => {
  const minutes = Math.floor((now - Date.parse(at)) / minuteMs);
  return minutes < 1 ? queue.lessThanMinute : duration(minutes * 60);
};

function openColumns(now: number): Column<ApprovalRequest>[] {
  const { columns } = queue;
  return [
    {
      title: columns.device,
      cell: ({ request_id: id, device_name: name, program }) => (
        <>
          <span id={`request-${id}`} safe>
            {name}
          </span>
          {program !== name && below(program)}
        </>
      ),
    },
    {
      title: columns.person,
      cell: (view) => (
        <Person
          name={personOf(view)}
          href={userPath(view.user.id)}
          detail={view.user.name === null ? undefined : (view.user.email ?? undefined)}
        />
      ),
    },
    { title: columns.location, text: ({ location }) => location, isMinor: true },
    { title: columns.reason, text: ({ reason }) => reason ?? '–', isMinor: true },
    { title: columns.waiting, text: (view) => waitingText(view, now), isNumber: true },
    {
      title: texts.actions,
      cell: ({ request_id: id }) => (
        <DrawerLink
          label={queue.review}
          size="small"
          href={requestPath(id)}
          about={`request-${id}`}
        />
      ),
      isTitleHidden: true,
      isNumber: true,
    },
  ];
}

const verdictTones: Readonly<Partial<Record<ApprovalRequest['state'], Tone>>> = {
  approved: 'ok',
  denied: 'bad',
};

/** The decision on a request. */
export const VerdictBadge = ({ state }: Pick<ApprovalRequest, 'state'>): Html => (
  <Badge text={queue.decisions[state]} tone={verdictTones[state] ?? 'neutral'} />
);

/** Who decided on a request. */
export function deciderOf(
  { decided_by: by, user, state }: ApprovalRequest,
  viewerId: string,
): Html {
  if (by === null || by === 'system' || state === 'expired') return <>–</>;
  if (by === viewerId) return escapeHtml(queue.byYou);
  if (by === 'env') return escapeHtml(queue.byKey);
  return by === user.id ? escapeHtml(queue.byOwner) : userLink(by, queue.byAdmin);
}

function decidedColumns(viewerId: string): Column<ApprovalRequest>[] {
  const { columns } = queue;
  return [
    {
      title: columns.device,
      cell: (view) => (
        <>
          {escapeHtml(view.device_name)}
          {below(personOf(view))}
        </>
      ),
    },
    {
      title: columns.decision,
      cell: VerdictBadge,
    },
    { title: columns.by, cell: (view) => deciderOf(view, viewerId) },
    { title: columns.at, cell: ({ decided_at: at }) => <OptionalTime at={at} /> },
    { title: columns.note, text: ({ note }) => note ?? '–' },
  ];
}

const noRequests = (
  <EmptyState icon="list" text={queue.none}>
    <Copy
      label={consoleTexts.copy}
      text={
        'curl -X POST "$BASE_URL/api/auth/blackops/request-clearance" -b "$COOKIES" \\\n' +
        '  -H "origin: $BASE_URL" -H \'content-type: application/json\' \\\n' +
        '  -d \'{"fingerprint":"laptop"}\''
      }
    />
  </EmptyState>
);

/** Open requests for approval, and the latest decisions. */
export function queuePanel({ open, decided, now }: RequestQueue, viewerId: string): Html {
  const isEmpty = open.length === 0;
  return (
    <Card id="queue" title={isEmpty ? queue.noneTitle : queue.title({ count: open.length })} isLive>
      {isEmpty ? (
        noRequests
      ) : (
        <Table
          caption={queue.caption}
          columns={openColumns(now)}
          rows={open}
          rowId={({ request_id: id }) => `row-${id}`}
        />
      )}
      {decided.length > 0 && (
        <Disclosure summary={queue.decided}>
          <Table caption={queue.decidedCaption} columns={decidedColumns(viewerId)} rows={decided} />
        </Disclosure>
      )}
    </Card>
  );
}
