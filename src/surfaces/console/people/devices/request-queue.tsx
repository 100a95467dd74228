import type { z } from 'zod';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { Copy, Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Facts, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { RequestView } from '../../../../areas/identity/devices/schemas.ts';
import { duration } from '../../components/number-format.ts';
import { ConsoleForm } from '../../components/console-form.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { below, userLink } from '../labels.tsx';
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

const home = sectionPath('devices');
const { queue } = texts.devices;
const personOf = ({ user: { name, email, id } }: ApprovalRequest): string => name ?? email ?? id;

function decisionForms({ request_id: id }: ApprovalRequest, about: string): Html {
  const action = `${home}/requests/${id}`;
  const attributes = { 'aria-describedby': about };
  const note = (decision: string) => (
    <Field
      id={`${decision}-note-${id}`}
      name="note"
      label={queue.note}
      hint={queue.noteHint}
      maxLength={280}
    />
  );
  return (
    <>
      <ConsoleForm action={`${action}/approve`} submit={{ label: queue.approve, attributes }}>
        <Field
          id={`number-${id}`}
          name="number"
          label={queue.number}
          hint={queue.numberHint}
          isRequired
          attributes={{ inputmode: 'numeric', pattern: '[0-9]{2}', title: queue.twoDigits }}
        />
        {note('approve')}
      </ConsoleForm>
      <Disclosure summary={queue.deny} kind="danger" about={about}>
        <ConsoleForm
          action={`${action}/deny`}
          submit={{ label: queue.deny, kind: 'danger', attributes }}
        >
          {note('deny')}
        </ConsoleForm>
      </Disclosure>
    </>
  );
}

function openRequest(view: ApprovalRequest, now: number): Html {
  const about = `request-${view.request_id}`;
  const waiting = duration(Math.max(0, (now - Date.parse(view.created_at)) / 1000));
  const user = userLink(view.user.id, personOf(view));
  const forms = view.own ? (
    <p class="hint" safe>
      {queue.own}
    </p>
  ) : (
    decisionForms(view, about)
  );
  return (
    <article class="request">
      <h3 id={about}>
        {rich(queue.heading, { device: () => escapeHtml(view.device_name), user: () => user })}
      </h3>
      <Facts
        facts={[
          { name: queue.email, value: escapeHtml(view.user.email ?? '–') },
          { name: queue.browser, value: escapeHtml(view.program) },
          { name: queue.bound, value: escapeHtml(view.bound) },
          { name: queue.location, value: escapeHtml(view.location) },
          { name: queue.reason, value: escapeHtml(view.reason ?? queue.noReason) },
          { name: queue.waiting, value: escapeHtml(waiting) },
          { name: queue.requested, value: <Time at={view.created_at} /> },
          { name: queue.expires, value: <Time at={view.expires_at} /> },
        ]}
      />
      {forms}
    </article>
  );
}

const verdictTones: Readonly<Partial<Record<ApprovalRequest['state'], Tone>>> = {
  approved: 'ok',
  denied: 'bad',
};

function deciderOf({ decided_by: by, user, state }: ApprovalRequest, viewerId: string): Html {
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
      cell: ({ state }) => (
        <Badge text={queue.decisions[state]} tone={verdictTones[state] ?? 'neutral'} />
      ),
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
    <Card
      id="queue"
      title={isEmpty ? queue.noneTitle : queue.title({ count: open.length })}
      isLive
      hint={isEmpty ? undefined : texts.freshHint}
    >
      {isEmpty ? (
        noRequests
      ) : (
        <div class="columns">{open.map((each) => openRequest(each, now))}</div>
      )}
      {decided.length > 0 && (
        <Disclosure summary={queue.decided}>
          <Table caption={queue.decidedCaption} columns={decidedColumns(viewerId)} rows={decided} />
        </Disclosure>
      )}
    </Card>
  );
}
