import type { z } from 'zod';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { RequestView } from '../../../../areas/blackops/schemas.ts';
import { plural, duration } from '../../components/number-format.ts';
import { badge, emptyState, facts, panel, time, type Tone } from '../../components/elements.tsx';
import { field, postForm } from '../../components/forms.tsx';
import { table } from '../../components/tables.tsx';
import { freshHint, userLink } from '../labels.tsx';
import { sectionPath } from '../../sections.ts';

/** A request for clearance, with texts. */
export interface ClearanceRequest extends Omit<
  z.output<typeof RequestView>,
  'binding' | 'country' | 'browser' | 'os'
> {
  program: string;
  /** Text after "bound by". */
  bound: string;
  country: string;
}

export interface ClearanceQueue {
  /** Oldest first. */
  open: readonly ClearanceRequest[];
  /** The latest decisions. */
  decided: readonly ClearanceRequest[];
  now: number;
}

const home = sectionPath('devices');
const personOf = ({ user: { name, email, id } }: ClearanceRequest): string => name ?? email ?? id;

function decisionForms({ request_id: id }: ClearanceRequest, about: string): Html {
  const action = `${home}/requests/${id}`;
  const number = field({
    id: `number-${id}`,
    name: 'number',
    label: 'Number that the device shows',
    hint:
      'Let the person tell you: by voice, or face to face. ' +
      'Who only writes to you may be somebody else.',
    attributes: {
      required: true,
      inputmode: 'numeric',
      pattern: '[0-9]{2}',
      title: 'Two digits',
      class: 'short',
    },
  });
  const note = (decision: string) =>
    field({
      id: `${decision}-note-${id}`,
      name: 'note',
      label: 'Note',
      hint: 'For other admins. May be left empty.',
      maxLength: 280,
    });
  const approve = postForm({
    action: `${action}/approve`,
    inputs: [number, note('approve')],
    button: 'Approve',
    about,
    kind: 'first',
  });
  const deny = postForm({
    action: `${action}/deny`,
    inputs: note('deny'),
    button: 'Deny',
    about,
    kind: 'danger',
  });
  return (
    <>
      {approve}
      <details class="typed">
        <summary aria-describedby={about}>Deny instead</summary>
        {deny}
      </details>
    </>
  );
}

const verdicts: Readonly<Record<ClearanceRequest['state'], string>> = {
  open: 'open',
  approved: 'approved',
  denied: 'denied',
  expired: 'not decided in time',
  withdrawn: 'withdrawn',
};

function openRequest(view: ClearanceRequest, now: number): Html {
  const about = `request-${view.request_id}`;
  const waiting = duration(Math.max(0, (now - Date.parse(view.created_at)) / 1000));
  const user = userLink(view.user.id, personOf(view));
  const forms = view.own ? (
    <p class="hint">This is your own request: somebody else must decide.</p>
  ) : (
    decisionForms(view, about)
  );
  return (
    <article class="request">
      <h3 id={about}>
        {escapeHtml(view.device_name)}, {user}
      </h3>
      {facts([
        ['Address', escapeHtml(view.user.email ?? '–')],
        ['Browser', escapeHtml(view.program)],
        ['Bound by', escapeHtml(view.bound)],
        ['From', escapeHtml(`${view.country}, ${view.network ?? 'network unknown'}`)],
        ['Reason', escapeHtml(view.reason ?? 'none given')],
        [
          'Waiting',
          <>
            {escapeHtml(waiting)}, since {time(view.created_at)}
          </>,
        ],
        ['Ends', time(view.expires_at)],
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
  if (by === viewerId) return <>you</>;
  if (by === 'env') return <>the admin key</>;
  return by === user.id ? <>its owner</> : userLink(by, 'another admin');
}

function decidedList(decided: readonly ClearanceRequest[], viewerId: string): Html | undefined {
  if (decided.length === 0) return undefined;
  const list = table({
    caption: 'Requests that were decided last',
    columns: ['Device', 'Verdict', 'By', 'When', 'Note'],
    rows: decided.map((view) => [
      <>
        {escapeHtml(view.device_name)}
        <br />
        <span class="hint" safe>
          {personOf(view)}
        </span>
      </>,
      badge(verdicts[view.state], verdictTones[view.state]),
      deciderOf(view, viewerId),
      time(view.decided_at),
      escapeHtml(view.note ?? '–'),
    ]),
  });
  return (
    <details class="more">
      <summary>Decided last</summary>
      {list}
    </details>
  );
}

const noRequests = emptyState({
  text: 'Devices ask at /account/devices, or by the API. They appear here at once.',
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
      title: 'Nobody waits for clearance',
      live: true,
      body: [noRequests, decidedLast],
    });
  const verb = open.length === 1 ? 'waits' : 'wait';
  const requests = open.map((each) => openRequest(each, now));
  return panel({
    id: 'queue',
    title: `${plural(open.length, 'device')} ${verb} for clearance`,
    live: true,
    hint: freshHint,
    body: [<div class="columns">{requests}</div>, decidedLast],
  });
}
