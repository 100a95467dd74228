import type { z } from 'zod';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Page } from '../../../platform/ui/pages.tsx';
import {
  alert,
  bindingTexts,
  countryOf,
  facts,
  notice,
  postForm,
  programOf,
  type ScriptFacts,
  scriptFacts,
  textField,
  time,
} from './page-parts.tsx';
import type { RequestView } from '../schemas.ts';

type View = z.output<typeof RequestView>;

/** A validation error of a decision form. */
export interface DecisionError {
  requestId: string;
  text: string;
}

export interface RequestsView {
  /** Oldest first. */
  open: readonly View[];
  /** Latest first. */
  decided: readonly View[];
  viewerId: string | undefined;
  /** Undefined when no cleared device is required. */
  script: ScriptFacts | undefined;
  error?: DecisionError | undefined;
}

const notices: Partial<Record<string, string>> = {
  approved: 'The device is cleared.',
  denied: 'Clearance is denied to the device.',
};

const personOf = ({ user: { name, email } }: View): string =>
  [name, email].filter((text) => text !== null).join(', ') || 'Somebody without a name';

const noteField = (id: string, hint?: string): Html =>
  textField({
    id,
    name: 'note',
    label: 'Note',
    maxLength: 280,
    hint: hint ?? 'For other admins. May be left empty.',
  });

function forms({ request_id: id }: View, about: string, error: string | undefined): Html {
  const number = textField({
    id: `number-${id}`,
    name: 'number',
    label: 'Number that the device shows',
    hint:
      'Let the person tell you: by voice, or face to face. ' +
      'Who only writes to you may be somebody else.',
    maxLength: 8,
    error,
    attributes: {
      required: true,
      inputmode: 'numeric',
      pattern: '[0-9]{2}',
      title: 'Two digits',
      class: 'short',
    },
  });
  const action = `/account/devices/requests/${id}`;
  const approve = postForm({
    action: `${action}/approve`,
    inputs: (
      <>
        {number}
        {noteField(`approve-note-${id}`)}
      </>
    ),
    button: 'Approve',
    about,
    script: 'proof',
  });
  const deny = postForm({
    action: `${action}/deny`,
    inputs: noteField(`deny-note-${id}`),
    button: 'Deny',
    about,
    isSecond: true,
    script: 'proof',
  });
  return (
    <>
      {approve}
      <details>
        <summary aria-describedby={about}>Deny instead</summary>
        {deny}
      </details>
    </>
  );
}

function openRequest(view: View, decisionError: DecisionError | undefined): Html {
  const about = `request-${view.request_id}`;
  const error = decisionError?.requestId === view.request_id ? decisionError.text : undefined;
  const decision = view.own ? (
    <p class="notice">This is your own request: somebody else must decide.</p>
  ) : (
    forms(view, about, error)
  );
  return (
    <article>
      <h3 id={about} safe>
        {personOf(view)}
      </h3>
      {facts([
        ['Device', escapeHtml(view.device_name)],
        ['Browser', escapeHtml(programOf(view))],
        ['Bound by', escapeHtml(bindingTexts[view.binding])],
        ['Network', escapeHtml(view.network ?? 'unknown')],
        ['Country', escapeHtml(countryOf(view.country))],
        ['Reason', escapeHtml(view.reason ?? 'none given')],
        ['Since', time(view.created_at)],
        ['Ends', time(view.expires_at)],
      ])}
      {decision}
    </article>
  );
}

const verdicts: Readonly<Record<View['state'], string>> = {
  open: 'Open',
  approved: 'Approved',
  denied: 'Denied',
  expired: 'Nobody decided in time',
  withdrawn: 'Withdrawn',
};

function describeDecider(
  { decided_by: by, user, state }: View,
  viewerId: string | undefined,
): string {
  if (by === null || by === 'system' || state === 'expired') return '';
  if (by === viewerId) return ' by you';
  return by === 'env'
    ? ' with the admin key'
    : by === user.id
      ? ' by its owner'
      : ' by another admin';
}

function decidedRequest(view: View, viewerId: string | undefined): Html {
  const at = view.decided_at === null ? undefined : <>, {time(view.decided_at)}</>;
  return (
    <li>
      <p>
        {escapeHtml(view.device_name)} of {escapeHtml(personOf(view))}
      </p>
      <p class="hint">
        {escapeHtml(verdicts[view.state])}
        {escapeHtml(describeDecider(view, viewerId))}
        {at}
      </p>
      {view.note === null ? undefined : <p class="hint">Note: {escapeHtml(view.note)}</p>}
    </li>
  );
}

/** The error of a decision whose form is not on the page any more. */
function orphanedError({ open, error }: RequestsView): Html | undefined {
  if (error === undefined || open.some(({ request_id: id }) => id === error.requestId))
    return undefined;
  return (
    <p class="error" role="alert">
      That was the third wrong number: the request is denied.
    </p>
  );
}

/** The page of open and decided requests. `done` is the action to confirm, a key of `notices`. */
export function requestsPage(view: RequestsView, done?: string): Page {
  const { open, decided, script, error, viewerId } = view;
  const body = (
    <>
      {script === undefined ? undefined : scriptFacts(script)}
      {notice(done === undefined ? undefined : notices[done])}
      {orphanedError(view)}
      {alert}
      <h2>Open</h2>
      {open.length === 0 ? (
        <p>Nobody asks for clearance.</p>
      ) : (
        open.map((each) => openRequest(each, error))
      )}
      <h2>Decided</h2>
      {decided.length === 0 ? (
        <p>Nothing was decided yet.</p>
      ) : (
        <ul class="sessions">{decided.map((each) => decidedRequest(each, viewerId))}</ul>
      )}
      <p>
        <a href="/account/devices">Your devices</a>
      </p>
      <p>
        <a href={consolePath}>Open the console</a>
      </p>
    </>
  );
  return {
    title: 'Requests for clearance',
    isWide: true,
    isError: error !== undefined,
    script: script === undefined ? undefined : 'devices.js',
    body,
  };
}
