import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
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
import { componentBadge, impactBadge, statusName, stepBadge } from './labels.tsx';
import { texts } from './texts/en.ts';
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

const words = texts.incidentPage;

const stepName = (step: string, isOver: boolean): string =>
  isOver && step !== 'postmortem' ? words.reopens({ status: statusName(step) }) : statusName(step);

const formPath = ({ kind, id }: Incident): string =>
  `${sectionPath('status')}/${kind === 'incident' ? 'incidents' : 'maintenances'}/${id}`;

function affectedDetails({ incident, components }: IncidentView): Html {
  const now = new Map(incident.affected.map(({ id, status }) => [id, status]));
  return (
    <Disclosure summary={words.componentStatuses}>
      {hiddenInput('with_components', 'true')}
      {affectedFields('update', components, now)}
    </Disclosure>
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
      label: words.status,
      options: steps.map((step) => [step, stepName(step, isOver)] as const),
      value: incident.status,
    }),
    textarea({
      id: 'update-body',
      name: 'body',
      label: words.message,
      hint: words.messageHint,
    }),
    incident.kind === 'incident' && !isOver ? affectedDetails(view) : undefined,
  ];
  const action = `${formPath(incident)}/updates`;
  return panel({
    id: 'update',
    title: isOver ? words.postmortem : words.update,
    body: postForm({ action, inputs, button: words.post, kind: 'first' }),
  });
}

/** A button for the most common next update; the form is for all others. */
function quickActions(incident: Incident): Html | undefined {
  if (incident.resolvedAt !== null) return undefined;
  const action = `${formPath(incident)}/updates`;
  const quick = (status: string, body: string, button: string) =>
    postForm({ action, values: { status, body }, button });
  if (incident.kind === 'incident') return quick('resolved', words.resolveMessage, words.resolve);
  return incident.status === 'scheduled'
    ? quick('in_progress', words.startMessage, words.start)
    : quick('completed', words.endMessage, words.end);
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
    title: words.timeline,
    live: true,
    hint: words.timelineHint,
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
          [words.starts, time(incident.scheduledFor)],
          [words.ends, time(incident.scheduledUntil)],
        ]
      : [
          [words.started, time(incident.createdAt)],
          [words.resolved, time(incident.resolvedAt, words.notResolved)],
        ];
  const body = facts([
    [words.status, stepBadge(incident.status)],
    [words.impact, impactBadge(incident.impact)],
    ...times,
    [words.components, affected.length === 0 ? escapeHtml(words.noComponents) : <>{affected}</>],
    incident.source === 'downtime' ? [words.source, escapeHtml(words.downtime)] : undefined,
  ]);
  return panel({ id: 'facts', title: words.facts, live: true, body });
}

function changePanel({ incident, components }: IncidentView): Html | undefined {
  const isIncident = incident.kind === 'incident';
  if (!isIncident && incident.status === 'completed') return undefined;
  const name = field({
    id: 'change-name',
    name: 'name',
    label: texts.incident.name,
    value: incident.name,
    attributes: { required: true },
  });
  const impact = select({
    id: 'change-impact',
    name: 'impact',
    label: words.impact,
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
    title: isIncident ? words.editIncident : words.editMaintenance,
    hint: words.editHint,
    body: postForm({ action: `${formPath(incident)}/change`, inputs, button: words.save }),
  });
}

function deletePanel(incident: Incident): Html {
  const button = incident.kind === 'incident' ? words.deleteIncident : words.deleteMaintenance;
  const form = confirmForm({
    id: 'delete',
    action: `${formPath(incident)}/delete`,
    open: button,
    word: 'delete',
    button,
    warning: words.deleteWarning,
  });
  return panel({ id: 'danger', title: words.delete, body: form });
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
      <a href={`/status/incidents/${incident.id}`} safe>
        {texts.publicPage}
      </a>
      <a href={sectionPath('status')} safe>
        {texts.back}
      </a>
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
