import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/store.ts';
import { CreateIncidentUpdateBody } from '../../../areas/status/incidents/schemas.incidents.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { type Fact, Facts } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { ActionButton, ConfirmForm, ConsoleForm } from '../components/console-form.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { fieldsOf } from '../forms/schema-fields.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { sectionPath } from '../sections.ts';
import { affectedFields } from './forms.tsx';
import { formPath, type IncidentView, mayChange } from './incident-forms.tsx';
import { componentBadge, impactBadge, incidentPath, statusName, stepBadge } from './labels.tsx';
import { texts } from './texts/en.ts';
import type { Viewer } from '../viewer.ts';

export interface OneIncidentView extends IncidentView {
  /** How many people are emailed about an update. */
  subscribers: number;
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

function affectedDetails({ incident, components }: IncidentView): Html {
  const now = new Map(incident.affected.map(({ id, status }) => [id, status]));
  return (
    <Disclosure summary={words.componentStatuses}>
      <input type="hidden" name="with_components" value="true" />
      {affectedFields('update', components, now)}
    </Disclosure>
  );
}

function updatePanel(view: OneIncidentView): Html | undefined {
  const { incident } = view;
  const steps = nextSteps(incident);
  if (steps.length === 0) return undefined;
  const isOver = incident.resolvedAt !== null;
  const field = fieldsOf(CreateIncidentUpdateBody, { idPrefix: 'update', texts: words });
  return (
    <Card id="update" title={isOver ? words.postmortem : words.update}>
      <ConsoleForm
        action={`${formPath(incident)}/updates`}
        submit={{ label: words.post }}
        note={texts.emailed({ count: view.subscribers })}
      >
        {field('status', {
          options: steps.map((step) => [step, stepName(step, isOver)]),
          value: incident.status,
        })}
        {field('body')}
        {incident.kind === 'incident' && !isOver && affectedDetails(view)}
      </ConsoleForm>
    </Card>
  );
}

/** A button for the most common next update; the form is for all others. */
function quickAction(incident: Incident): Html | undefined {
  if (incident.resolvedAt !== null) return undefined;
  const action = `${formPath(incident)}/updates`;
  const quick = (status: string, body: string, label: string) => (
    <ActionButton action={action} values={{ status, body }} label={label} />
  );
  if (incident.kind === 'incident') return quick('resolved', words.resolveMessage, words.resolve);
  return incident.status === 'scheduled'
    ? quick('in_progress', words.startMessage, words.start)
    : quick('completed', words.endMessage, words.end);
}

const timeline = ({ updates }: Incident): Html => (
  <Card id="timeline" title={words.timeline} isLive hint={words.timelineHint}>
    <ol class="notes">
      {updates.map(({ status, body, displayAt }) => (
        <li>
          {stepBadge(status)} <Time at={displayAt} />
          <p class="said">{escapeHtml(body)}</p>
        </li>
      ))}
    </ol>
  </Card>
);

const editLink = ({ id }: Incident): Html => (
  <DrawerLink label={words.edit} icon="edit" size="small" href={`${incidentPath(id)}/change`} />
);

function factsPanel({ incident, components }: IncidentView, isAdmin: boolean): Html {
  const nameOf = (id: string) => components.find((each) => each.id === id)?.name ?? id;
  const affected = incident.affected.map(({ id, status }) => (
    <span class="pair">
      {componentBadge(status)} {escapeHtml(nameOf(id))}
    </span>
  ));
  const times: Fact[] =
    incident.kind === 'maintenance'
      ? [
          { name: words.starts, value: <OptionalTime at={incident.scheduledFor} /> },
          { name: words.ends, value: <OptionalTime at={incident.scheduledUntil} /> },
        ]
      : [
          { name: words.started, value: <Time at={incident.createdAt} /> },
          {
            name: words.resolved,
            value: <OptionalTime at={incident.resolvedAt} none={words.notResolved} />,
          },
        ];
  const all = [
    { name: words.status, value: stepBadge(incident.status) },
    { name: words.impact, value: impactBadge(incident.impact) },
    ...times,
    {
      name: words.components,
      value: affected.length === 0 ? escapeHtml(words.noComponents) : affected,
    },
    incident.source === 'downtime'
      ? { name: words.source, value: escapeHtml(words.downtime) }
      : undefined,
  ];
  return (
    <Card
      id="facts"
      title={words.facts}
      isLive
      actions={isAdmin && mayChange(incident) ? editLink(incident) : undefined}
    >
      <Facts facts={all} />
    </Card>
  );
}

function deletePanel(incident: Incident): Html {
  const button = incident.kind === 'incident' ? words.deleteIncident : words.deleteMaintenance;
  return (
    <Card id="danger" title={words.delete}>
      <ConfirmForm
        id="delete"
        action={`${formPath(incident)}/delete`}
        open={button}
        word="delete"
        submit={button}
        warning={words.deleteWarning}
      />
    </Card>
  );
}

/** An incident or a maintenance with all its updates. */
export function incidentPage(
  view: OneIncidentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { incident } = view;
  return {
    section: 'status',
    title: incident.name,
    notice,
    body: (
      <div class="columns">
        <div>
          {factsPanel(view, isAdmin)}
          {timeline(incident)}
        </div>
        {isAdmin && (
          <div>
            {updatePanel(view)}
            {deletePanel(incident)}
          </div>
        )}
      </div>
    ),
    channels: ['status'],
    every: 30,
    actions: (
      <>
        {isAdmin && quickAction(incident)}
        <a href={`/status/incidents/${incident.id}`}>{escapeHtml(texts.publicPage)}</a>
        <a href={sectionPath('status')}>{escapeHtml(texts.back)}</a>
      </>
    ),
  };
}
