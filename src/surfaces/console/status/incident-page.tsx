import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/store.ts';
import { CreateIncidentUpdateBody } from '../../../areas/status/incidents/schemas.incidents.ts';
import { formatDuration } from '../../../platform/i18n/durations.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Disclosure, Menu } from '../../../platform/ui/components/overlay.tsx';
import { type Fact, Facts } from '../../../platform/ui/components/table.tsx';
import { Time, TimeRange } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { fieldsOf } from '../forms/schema-fields.tsx';
import { withQuery } from '../components/navigation.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { sectionPath } from '../sections.ts';
import { affectedFields } from './forms.tsx';
import { formPath, type IncidentView, mayChange } from './incident-forms.tsx';
import {
  componentBadge,
  impactBadge,
  incidentPath,
  incidentsPath,
  statusName,
  stepBadge,
} from './labels.tsx';
import { nextStepButton } from './next-step.tsx';
import { secondsOf } from './span.ts';
import { texts } from './texts/en.ts';
import type { Viewer } from '../viewer.ts';

export interface OneIncidentView extends IncidentView {
  /** How many people are emailed about an update. */
  subscribers: number;
  /** Unix ms. */
  now: number;
}

const workSteps: Readonly<Partial<Record<Incident['status'], readonly string[]>>> = {
  scheduled: ['scheduled', 'in_progress', 'completed'],
  in_progress: ['in_progress', 'verifying', 'completed'],
  verifying: ['verifying', 'in_progress', 'completed'],
};

const hasPostmortem = ({ updates }: Incident): boolean =>
  updates.some(({ status }) => status === 'postmortem');

/** The statuses that may follow. */
function nextSteps(incident: Incident): readonly string[] {
  const { kind, status, resolvedAt, source } = incident;
  if (kind === 'maintenance') return workSteps[status] ?? [];
  if (resolvedAt === null) return ['investigating', 'identified', 'monitoring', 'resolved'];
  return [
    ...(hasPostmortem(incident) ? [] : ['postmortem']),
    ...(source === 'downtime' ? [] : ['investigating', 'identified', 'monitoring']),
  ];
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
  const form = (
    <ConsoleForm
      action={`${formPath(incident)}/updates`}
      submit={{ label: words.post }}
      note={texts.emailed({ count: view.subscribers })}
      {...(steps.length === 1 ? { values: { status: steps[0] } } : {})}
    >
      {steps.length > 1 &&
        field('status', {
          options: steps.map((step) => [step, stepName(step, isOver)]),
          value: isOver ? (steps[0] ?? '') : incident.status,
        })}
      {field('body')}
      {incident.kind === 'incident' && !isOver && affectedDetails(view)}
    </ConsoleForm>
  );
  if (isOver)
    return (
      <Disclosure
        id="update"
        summary={hasPostmortem(incident) ? words.reopen : words.postmortem}
        kind="secondary"
      >
        {form}
      </Disclosure>
    );
  return (
    <Card id="update" title={words.update}>
      {form}
    </Card>
  );
}

const timeline = ({ updates }: Incident): Html => (
  <Card id="timeline" title={words.timeline} isLive>
    <ol class="steps-line">
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
      {escapeHtml(nameOf(id))} {incident.status !== 'scheduled' && componentBadge(status)}
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
    incident.kind === 'maintenance'
      ? undefined
      : { name: words.impact, value: impactBadge(incident.impact) },
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

/** Links for what is done rarely. */
const rareActions = ({ kind, id }: Incident): Html => (
  <Menu
    id="incident-menu"
    label={words.more}
    isIconOnly
    items={[
      <a href={`${incidentPath(id)}/delete`} data-drawer class="text-bad" safe>
        {kind === 'incident' ? words.deleteIncident : words.deleteMaintenance}
      </a>,
    ]}
  />
);

/** When it was, and how long it lasted. */
function lead(incident: Incident, now: number): Html {
  const { kind, createdAt, resolvedAt, scheduledFor, scheduledUntil } = incident;
  const length = formatDuration(secondsOf(incident, now), { long: true });
  const isOpen = kind === 'incident' && resolvedAt === null;
  if (isOpen) return escapeHtml(words.openFor({ length }));
  return (
    <>
      <TimeRange
        from={scheduledFor ?? createdAt}
        until={(kind === 'maintenance' ? scheduledUntil : resolvedAt) ?? createdAt}
      />
      {escapeHtml(` · ${length}`)}
    </>
  );
}

/** An incident or a maintenance with all its updates. */
export function incidentPage(
  view: OneIncidentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { incident, subscribers, now } = view;
  const { kind, id, name, status, impact } = incident;
  const all = withQuery(incidentsPath, { kind });
  return {
    section: 'status',
    title: name,
    notice,
    state: (
      <span class="badges">
        {stepBadge(status)} {kind === 'incident' && impactBadge(impact)}
      </span>
    ),
    lead: lead(incident, now),
    breadcrumbs: [
      { href: sectionPath('status'), text: texts.title },
      { href: all, text: kind === 'incident' ? texts.list.incidents : texts.list.maintenance },
    ],
    body: (
      <div class="columns">
        <div>
          {timeline(incident)}
          {isAdmin && updatePanel(view)}
        </div>
        <div>{factsPanel(view, isAdmin)}</div>
      </div>
    ),
    channels: ['status'],
    every: 30,
    actions: (
      <>
        {isAdmin && nextStepButton(incident, subscribers)}
        <Button
          label={texts.publicPage}
          href={`/status/incidents/${id}`}
          icon="globe"
          kind="ghost"
        />
        {isAdmin && rareActions(incident)}
      </>
    ),
  };
}
