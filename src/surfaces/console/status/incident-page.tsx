import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/incident-store.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.tsx';
import {
  hiddenInput,
  select,
  field,
  postForm,
  textarea,
  confirmForm,
} from '../components/forms.tsx';
import { type Fact, facts, panel, time } from '../components/elements.tsx';
import { sectionPath } from '../sections.ts';
import { affectedFields, impactOptions, maintenanceFields, timeFields } from './forms.tsx';
import { componentBadge, impactBadge, stepBadge, words } from './labels.tsx';
import type { Viewer } from '../request-context.ts';

export interface IncidentView {
  incident: Incident;
  components: readonly ComponentState[];
}

const workSteps: Readonly<Partial<Record<Incident['status'], readonly string[]>>> = {
  scheduled: ['scheduled', 'in_progress', 'completed'],
  in_progress: ['in_progress', 'verifying', 'completed'],
  verifying: ['verifying', 'in_progress', 'completed'],
};

/** The statuses that may follow. */
function nextSteps({ kind, status, resolvedAt, source }: Incident): readonly string[] {
  if (kind === 'maintenance') return workSteps[status] ?? [];
  if (resolvedAt === null) return ['investigating', 'identified', 'monitoring', 'resolved'];
  return source === 'downtime'
    ? ['postmortem']
    : ['postmortem', 'investigating', 'identified', 'monitoring'];
}

const stepName = (step: string, isOver: boolean): string =>
  isOver && step !== 'postmortem' ? `${words(step)} (opens it again)` : words(step);

const formPath = ({ kind, id }: Incident): string =>
  `${sectionPath('status')}/${kind === 'incident' ? 'incidents' : 'maintenances'}/${id}`;

function affectedDetails({ incident, components }: IncidentView): Html {
  const now = new Map(incident.affected.map(({ id, status }) => [id, status]));
  return (
    <details class="form">
      <summary>How the components are now</summary>
      {hiddenInput('with_components', 'true')}
      {affectedFields('update', components, now)}
    </details>
  );
}

function updatePanel(view: IncidentView): Html | undefined {
  const { incident } = view;
  const steps = nextSteps(incident);
  if (steps.length === 0) return undefined;
  const isOver = incident.resolvedAt !== null;
  const inputs = [
    select({
      id: 'update-status',
      name: 'status',
      label: 'Status',
      options: steps.map((step) => [step, stepName(step, isOver)] as const),
      value: incident.status,
    }),
    textarea({
      id: 'update-body',
      name: 'body',
      label: 'Message',
      hint: 'Plain text; blank lines part paragraphs. Subscribers get it by e-mail.',
    }),
    incident.kind === 'incident' && !isOver ? affectedDetails(view) : undefined,
  ];
  const action = `${formPath(incident)}/updates`;
  return panel({
    id: 'update',
    title: isOver ? 'Post-mortem' : 'Post an update',
    body: postForm({ action, inputs, button: 'Post it', kind: 'first' }),
  });
}

/** A button for the most common next update; the form is for all others. */
function quickActions(incident: Incident): Html | undefined {
  if (incident.resolvedAt !== null) return undefined;
  const action = `${formPath(incident)}/updates`;
  const quick = (status: string, body: string, button: string) =>
    postForm({ action, values: { status, body }, button });
  if (incident.kind === 'incident')
    return quick('resolved', 'This incident is resolved.', 'Resolve');
  return incident.status === 'scheduled'
    ? quick('in_progress', 'The maintenance has begun.', 'Start now')
    : quick('completed', 'The maintenance is completed.', 'End now');
}

function timeline({ updates }: Incident): Html {
  const items = updates.map(({ status, body, displayAt }) => (
    <li>
      {stepBadge(status)} {time(displayAt)}
      <p class="said" safe>
        {body}
      </p>
    </li>
  ));
  return panel({
    id: 'timeline',
    title: 'What was said',
    live: true,
    hint: 'Newest first.',
    body: <ol class="notes">{items}</ol>,
  });
}

function factsPanel({ incident, components }: IncidentView): Html {
  const nameOf = (id: string) => components.find((each) => each.id === id)?.name ?? id;
  const affected = incident.affected.map(({ id, status }) => (
    <span class="pair">
      {componentBadge(status)} {escapeHtml(nameOf(id))}
    </span>
  ));
  const times: Fact[] =
    incident.kind === 'maintenance'
      ? [
          ['Begins', time(incident.scheduledFor)],
          ['Ends', time(incident.scheduledUntil)],
        ]
      : [
          ['Began', time(incident.createdAt)],
          ['Resolved', time(incident.resolvedAt, 'not yet')],
        ];
  const body = facts([
    ['Status', stepBadge(incident.status)],
    ['Impact', impactBadge(incident.impact)],
    ...times,
    ['Components', affected.length === 0 ? escapeHtml('None') : <>{affected}</>],
    incident.source === 'downtime'
      ? [escapeHtml('Noted by'), escapeHtml('The service itself: it had not been running')]
      : undefined,
  ]);
  return panel({ id: 'facts', title: 'Facts', live: true, body });
}

function changePanel({ incident, components }: IncidentView): Html | undefined {
  const isIncident = incident.kind === 'incident';
  if (!isIncident && incident.status === 'completed') return undefined;
  const name = field({
    id: 'change-name',
    name: 'name',
    label: 'Name',
    value: incident.name,
    attributes: { required: true },
  });
  const impact = select({
    id: 'change-impact',
    name: 'impact',
    label: 'Impact',
    options: impactOptions.slice(1),
    value: incident.impact,
  });
  const { scheduledFor: from, scheduledUntil: until, status } = incident;
  const inputs = isIncident
    ? [name, impact]
    : [
        name,
        timeFields('change', from ?? 0, until ?? 0, status !== 'scheduled'),
        maintenanceFields('change', components, incident.components),
      ];
  return panel({
    id: 'change',
    title: isIncident ? 'Name and impact' : 'Name, times and components',
    hint: 'Nobody is told of this by mail.',
    body: postForm({ action: `${formPath(incident)}/change`, inputs, button: 'Save' }),
  });
}

function deletePanel(incident: Incident): Html {
  const form = confirmForm({
    id: 'delete',
    action: `${formPath(incident)}/delete`,
    open: incident.kind === 'incident' ? 'Delete this incident' : 'Delete this maintenance',
    word: 'delete',
    button: 'Delete it for good',
    warning:
      'Everything that was said about it is lost, and what it did to the uptime is taken back. ' +
      'To keep it in the history, end it instead.',
  });
  return panel({ id: 'danger', title: 'Delete', body: form });
}

/** An incident or a maintenance with all its updates. */
export function incidentPage(
  view: IncidentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { incident } = view;
  const forms = isAdmin ? (
    <div>
      {updatePanel(view)}
      {changePanel(view)}
      {deletePanel(incident)}
    </div>
  ) : undefined;
  const links = (
    <>
      <a href={`/status/incidents/${incident.id}`}>Public page</a>
      <a href={sectionPath('status')}>Status</a>
    </>
  );
  return {
    section: 'status',
    title: incident.name,
    notice,
    body: (
      <div class="columns">
        <div>
          {factsPanel(view)}
          {timeline(incident)}
        </div>
        {forms}
      </div>
    ),
    channels: ['status'],
    every: 30,
    actions: (
      <>
        {isAdmin ? quickActions(incident) : undefined}
        {links}
      </>
    ),
  };
}
