import type { z } from 'zod';
import { Banner } from '../../../../platform/ui/components/feedback.tsx';
import { Dialog } from '../../../../platform/ui/components/overlay.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { consolePath } from '../../../../lib/site-paths.ts';
import type { Page } from '../../../../platform/ui/pages.tsx';
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
  time,
} from './page-parts.tsx';
import type { RequestView } from '../schemas.ts';
import { texts } from '../texts/en.ts';

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
  /** Undefined when no approved device is required. */
  script: ScriptFacts | undefined;
  error?: DecisionError | undefined;
}

const notices: Partial<Record<string, string>> = {
  approved: texts.requests.approvedNotice,
  denied: texts.requests.deniedNotice,
};

const personOf = ({ user: { name, email } }: View): string =>
  [name, email].filter((text) => text !== null).join(', ') || texts.requests.noName;

const noteField = (id: string): Html =>
  Field({
    id,
    name: 'note',
    label: texts.decision.note,
    maxLength: 280,
    hint: texts.decision.noteHint,
  });

function forms(
  { request_id: id, device_name: device }: View,
  about: string,
  error: string | undefined,
): Html {
  const { decision } = texts;
  const number = Field({
    id: `number-${id}`,
    name: 'number',
    label: decision.number,
    hint: decision.numberHint,
    maxLength: 8,
    error,
    attributes: {
      required: true,
      inputmode: 'numeric',
      pattern: '[0-9]{2}',
      title: decision.numberTitle,
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
    button: decision.approve,
    about,
    script: 'proof',
  });
  const deny = postForm({
    action: `${action}/deny`,
    inputs: noteField(`deny-note-${id}`),
    button: decision.deny,
    about,
    isSecond: true,
    script: 'proof',
  });
  return (
    <>
      {approve}
      <Dialog
        id={`deny-${id}`}
        title={decision.denyTitle({ device })}
        open={decision.deny}
        close={texts.actions.close}
        about={about}
        isNear
      >
        {deny}
      </Dialog>
    </>
  );
}

function openRequest(view: View, decisionError: DecisionError | undefined): Html {
  const { request } = texts;
  const about = `request-${view.request_id}`;
  const error = decisionError?.requestId === view.request_id ? decisionError.text : undefined;
  const decision = view.own ? (
    <Banner text={texts.requests.ownRequest} />
  ) : (
    forms(view, about, error)
  );
  return (
    <article>
      <h3 id={about} safe>
        {personOf(view)}
      </h3>
      {facts([
        [request.device, escapeHtml(view.device_name)],
        [request.browser, escapeHtml(programOf(view))],
        [request.binding, escapeHtml(bindingTexts[view.binding])],
        [request.network, escapeHtml(view.network ?? request.unknown)],
        [request.country, escapeHtml(countryOf(view.country))],
        [request.reason, escapeHtml(view.reason ?? request.noReason)],
        [request.since, time(view.created_at)],
        [request.ends, time(view.expires_at)],
      ])}
      {decision}
    </article>
  );
}

function verdictOf({ decided_by: by, state }: View, viewerId: string | undefined): string {
  const { verdicts } = texts;
  if (state !== 'approved' && state !== 'denied') return verdicts.expired;
  if (by === null || by === 'system') return verdicts[state];
  if (by === viewerId) return verdicts[`${state}ByYou`];
  return by === 'env' ? verdicts[`${state}ByKey`] : verdicts[`${state}ByAdmin`];
}

function decidedRequest(view: View, viewerId: string | undefined): Html {
  const { deviceOf, note } = texts.requests;
  const at = view.decided_at === null ? undefined : <>, {time(view.decided_at)}</>;
  return (
    <li>
      <p safe>{deviceOf({ device: view.device_name, person: personOf(view) })}</p>
      <p class="hint">
        {escapeHtml(verdictOf(view, viewerId))}
        {at}
      </p>
      {view.note === null ? undefined : (
        <p class="hint" safe>
          {note({ note: view.note })}
        </p>
      )}
    </li>
  );
}

/** The error of a decision whose form is not on the page anymore. */
function orphanedError({ open, error }: RequestsView): Html | undefined {
  if (error === undefined || open.some(({ request_id: id }) => id === error.requestId))
    return undefined;
  return <Banner text={texts.requests.thirdWrong} tone="bad" role="alert" />;
}

/** The page of open and decided requests. `done` is the action to confirm, a key of `notices`. */
export function requestsPage(view: RequestsView, done?: string): Page {
  const { open, decided, script, error, viewerId } = view;
  const { requests } = texts;
  const body = (
    <>
      {script === undefined ? undefined : scriptFacts(script)}
      {notice(done === undefined ? undefined : notices[done])}
      {orphanedError(view)}
      {alert}
      <h2 safe>{requests.open}</h2>
      {open.length === 0 ? (
        <p safe>{requests.noneOpen}</p>
      ) : (
        open.map((each) => openRequest(each, error))
      )}
      <h2 safe>{requests.decided}</h2>
      {decided.length === 0 ? (
        <p safe>{requests.noneDecided}</p>
      ) : (
        <ul class="item-list">{decided.map((each) => decidedRequest(each, viewerId))}</ul>
      )}
      <p>
        <a href="/account/devices" safe>
          {requests.devices}
        </a>
      </p>
      <p>
        <a href={consolePath} safe>
          {requests.openConsole}
        </a>
      </p>
    </>
  );
  return {
    title: requests.title,
    isWide: true,
    isError: error !== undefined,
    script: script === undefined ? undefined : 'devices.js',
    body,
  };
}
