import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { formPage } from '../../components/form-page.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { userPath } from '../labels.tsx';
import { Person } from '../person.tsx';
import { texts } from '../texts/en.ts';
import {
  type ApprovalRequest,
  deciderOf,
  personOf,
  requestPath,
  VerdictBadge,
} from './request-queue.tsx';

const { queue } = texts.devices;

const owner = (view: ApprovalRequest): Html => (
  <Person
    name={personOf(view)}
    href={userPath(view.user.id)}
    detail={view.user.name === null ? undefined : (view.user.email ?? undefined)}
  />
);

function decisionFacts(view: ApprovalRequest, viewerId: string): Fact[] {
  if (view.state === 'open') return [{ name: queue.expires, value: <Time at={view.expires_at} /> }];
  const { columns } = queue;
  return [
    { name: columns.decision, value: <VerdictBadge state={view.state} /> },
    { name: columns.by, value: deciderOf(view, viewerId) },
    { name: columns.at, value: <OptionalTime at={view.decided_at} /> },
    { name: columns.note, value: escapeHtml(view.note ?? '–') },
  ];
}

const facts = (view: ApprovalRequest, viewerId: string): Html => (
  <Facts
    facts={[
      { name: queue.browser, value: escapeHtml(view.program) },
      { name: queue.bound, value: escapeHtml(view.bound) },
      { name: queue.location, value: escapeHtml(view.location) },
      { name: queue.reason, value: escapeHtml(view.reason ?? queue.noReason) },
      { name: queue.requested, value: <Time at={view.created_at} /> },
      ...decisionFacts(view, viewerId),
    ]}
  />
);

/** One form for both decisions: a denied request needs no number. */
function decisionForm({ request_id: id }: ApprovalRequest): Html {
  const deny = { formaction: `${requestPath(id)}/deny`, formnovalidate: true };
  return (
    <ConsoleForm
      action={`${requestPath(id)}/approve`}
      submit={{ label: queue.approve }}
      otherButtons={<Button label={queue.deny} attributes={deny} />}
    >
      <Field
        id="number"
        label={queue.number}
        hint={queue.numberHint}
        maxLength={8}
        isRequired
        attributes={{ inputmode: 'numeric', pattern: '[0-9]{2}', title: queue.twoDigits }}
      />
      <Field id="note" label={queue.note} hint={queue.noteHint} maxLength={280} />
    </ConsoleForm>
  );
}

/** A request for approval, with the form that decides on it. */
export const requestPage = (view: ApprovalRequest, viewerId: string): ConsolePage =>
  formPage({
    section: 'devices',
    title: view.device_name,
    breadcrumbs: [{ href: sectionPath('devices'), text: texts.devices.title }],
    children: (
      <>
        {owner(view)}
        {facts(view, viewerId)}
        {view.state === 'open' &&
          (view.own ? (
            <p class="hint" safe>
              {queue.own}
            </p>
          ) : (
            decisionForm(view)
          ))}
      </>
    ),
  });
