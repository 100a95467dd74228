import type { z } from 'zod';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { RequestView } from '../../../../areas/blackops/schemas.ts';
import { duration } from '../../components/number-format.ts';
import { badge, emptyState, facts, panel, time, type Tone } from '../../components/elements.tsx';
import { field, postForm } from '../../components/forms.tsx';
import { table } from '../../components/tables.tsx';
import { userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';

/** A request for clearance, with texts. */
export interface ClearanceRequest extends Omit<
  z.output<typeof RequestView>,
  'binding' | 'country' | 'network' | 'browser' | 'os'
> {
  program: string;
  /** What binds it. */
  bound: string;
  /** Country and network. */
  location: string;
}

export interface ClearanceQueue {
  /** Oldest first. */
  open: readonly ClearanceRequest[];
  /** The latest decisions. */
  decided: readonly ClearanceRequest[];
  now: number;
}

const home = sectionPath('devices');
const { queue } = texts.devices;
const personOf = ({ user: { name, email, id } }: ClearanceRequest): string => name ?? email ?? id;

function decisionForms({ request_id: id }: ClearanceRequest, about: string): Html {
  const action = `${home}/requests/${id}`;
  const number = field({
    id: `number-${id}`,
    name: 'number',
    label: queue.number,
    hint: queue.numberHint,
    attributes: {
      required: true,
      inputmode: 'numeric',
      pattern: '[0-9]{2}',
      title: queue.twoDigits,
    },
  });
  const note = (decision: string) =>
    field({
      id: `${decision}-note-${id}`,
      name: 'note',
      label: queue.note,
      hint: queue.noteHint,
      maxLength: 280,
    });
  const approve = postForm({
    action: `${action}/approve`,
    inputs: [number, note('approve')],
    button: queue.approve,
    about,
    kind: 'first',
  });
  const deny = postForm({
    action: `${action}/deny`,
    inputs: note('deny'),
    button: queue.deny,
    about,
    kind: 'danger',
  });
  return (
    <>
      {approve}
      <Disclosure summary={queue.deny} kind="danger" about={about}>
        {deny}
      </Disclosure>
    </>
  );
}

function openRequest(view: ClearanceRequest, now: number): Html {
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
      {facts([
        [queue.email, escapeHtml(view.user.email ?? '–')],
        [queue.browser, escapeHtml(view.program)],
        [queue.bound, escapeHtml(view.bound)],
        [queue.location, escapeHtml(view.location)],
        [queue.reason, escapeHtml(view.reason ?? queue.noReason)],
        [queue.waiting, escapeHtml(waiting)],
        [queue.requested, time(view.created_at)],
        [queue.expires, time(view.expires_at)],
      ])}
      {forms}
    </article>
  );
}

const verdictTones: Readonly<Partial<Record<ClearanceRequest['state'], Tone>>> = {
  approved: 'good',
  denied: 'bad',
};

function deciderOf({ decided_by: by, user, state }: ClearanceRequest, viewerId: string): Html {
  if (by === null || by === 'system' || state === 'expired') return <>–</>;
  if (by === viewerId) return escapeHtml(queue.byYou);
  if (by === 'env') return escapeHtml(queue.byKey);
  return by === user.id ? escapeHtml(queue.byOwner) : userLink(by, queue.byAdmin);
}

function decidedList(decided: readonly ClearanceRequest[], viewerId: string): Html | undefined {
  if (decided.length === 0) return undefined;
  const { columns } = queue;
  const list = table({
    caption: queue.decidedCaption,
    columns: [columns.device, columns.decision, columns.by, columns.at, columns.note],
    rows: decided.map((view) => [
      <>
        {escapeHtml(view.device_name)}
        <br />
        <span class="hint" safe>
          {personOf(view)}
        </span>
      </>,
      badge(queue.decisions[view.state], verdictTones[view.state]),
      deciderOf(view, viewerId),
      time(view.decided_at),
      escapeHtml(view.note ?? '–'),
    ]),
  });
  return <Disclosure summary={queue.decided}>{list}</Disclosure>;
}

const noRequests = emptyState({
  text: queue.none,
  call:
    'curl -X POST "$BASE_URL/api/auth/blackops/request-clearance" -b "$COOKIES" \\\n' +
    '  -H "origin: $BASE_URL" -H \'content-type: application/json\' \\\n' +
    '  -d \'{"fingerprint":"laptop"}\'',
});

/** Open requests for clearance, and the latest decisions. */
export function queuePanel({ open, decided, now }: ClearanceQueue, viewerId: string): Html {
  const decidedLast = decidedList(decided, viewerId);
  if (open.length === 0)
    return panel({
      id: 'queue',
      title: queue.noneTitle,
      live: true,
      body: [noRequests, decidedLast],
    });
  const requests = open.map((each) => openRequest(each, now));
  return panel({
    id: 'queue',
    title: queue.title({ count: open.length }),
    live: true,
    hint: texts.freshHint,
    body: [<div class="columns">{requests}</div>, decidedLast],
  });
}
