import { html, type Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/incident-store.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.ts';
import { select, field, postForm, textarea, confirmForm } from '../components/forms.ts';
import { facts, panel, time } from '../components/elements.ts';
import { sectionPath } from '../sections.ts';
import { concernedFields, impactOptions, maintainedFields, timeFields } from './forms.ts';
import { componentBadge, impactBadge, stepBadge, words } from './labels.ts';
import type { Viewer } from '../request-context.ts';

export interface IncidentView {
  incident: Incident;
  components: readonly ComponentState[];
}

const placeOfIncident = ({ kind, id }: Incident): string =>
  `${sectionPath('status')}/${kind === 'incident' ? 'incidents' : 'maintenances'}/${id}`;

const workSteps: Readonly<Partial<Record<Incident['status'], readonly string[]>>> = {
  scheduled: ['scheduled', 'in_progress', 'completed'],
  in_progress: ['in_progress', 'verifying', 'completed'],
  verifying: ['verifying', 'in_progress', 'completed'],
};

/** What may be said next. */
function nextSteps({ kind, status, resolvedAt, source }: Incident): readonly string[] {
  if (kind === 'maintenance') return workSteps[status] ?? [];
  if (resolvedAt === null) return ['investigating', 'identified', 'monitoring', 'resolved'];
  return source === 'downtime'
    ? ['postmortem']
    : ['postmortem', 'investigating', 'identified', 'monitoring'];
}

const stepName = (step: string, isOver: boolean): string =>
  isOver && step !== 'postmortem' ? `${words(step)} (opens it again)` : words(step);

function updatePanel({ incident, components }: IncidentView): Html | undefined {
  const steps = nextSteps(incident);
  if (steps.length === 0) return undefined;
  const isOver = incident.resolvedAt !== null;
  const now = new Map(incident.affected.map(({ id, status }) => [id, status]));
  const concerned = incident.kind === 'incident' && !isOver;
  const inputs = html`${select({ id: 'update-status', name: 'status', label: 'Status', options: steps.map((step) => [step, stepName(step, isOver)] as const), value: incident.status })}
${textarea({ id: 'update-body', name: 'body', label: 'Message', hint: 'Plain text; blank lines part paragraphs. Subscribers get it by e-mail.' })}
${concerned ? html`<details class="form"><summary>How the components are now</summary><input type="hidden" name="with_components" value="true">${concernedFields('update', components, now)}</details>` : undefined}`;
  return panel({
    id: 'update',
    title: isOver ? 'Post-mortem' : 'Post an update',
    body: postForm({
      action: `${placeOfIncident(incident)}/updates`,
      inputs,
      button: 'Post it',
      kind: 'first',
    }),
  });
}

/**
 * One button for what is done most often, with a message that fits; the form beside it is for any
 * other.
 */
function quickActions(incident: Incident): Html | undefined {
  if (incident.resolvedAt !== null) return undefined;
  const action = `${placeOfIncident(incident)}/updates`;
  const quick = (status: string, body: string, button: string) =>
    postForm({ action, values: { status, body }, button });
  if (incident.kind === 'incident')
    return quick('resolved', 'This incident is resolved.', 'Resolve');
  return incident.status === 'scheduled'
    ? quick('in_progress', 'The maintenance has begun.', 'Start now')
    : quick('completed', 'The maintenance is completed.', 'End now');
}

function timeline({ updates }: Incident): Html {
  const items = updates.map(
    ({ status, body, displayAt }) =>
      html`\n<li>${stepBadge(status)} ${time(displayAt)}<p class="said">${body}</p></li>`,
  );
  return panel({
    id: 'timeline',
    title: 'What was said',
    live: true,
    hint: 'Newest first.',
    body: html`<ol class="notes">${items}</ol>`,
  });
}

function factsPanel({ incident, components }: IncidentView): Html {
  const nameOf = (id: string) => components.find((each) => each.id === id)?.name ?? id;
  const concerned = incident.affected.map(
    ({ id, status }) => html`<span class="pair">${componentBadge(status)} ${nameOf(id)}</span>`,
  );
  const times =
    incident.kind === 'maintenance'
      ? ([
          ['Begins', time(incident.scheduledFor)],
          ['Ends', time(incident.scheduledUntil)],
        ] as const)
      : ([
          ['Began', time(incident.createdAt)],
          ['Resolved', time(incident.resolvedAt, 'not yet')],
        ] as const);
  const body = facts([
    ['Status', stepBadge(incident.status)],
    ['Impact', impactBadge(incident.impact)],
    ...times,
    ['Components', concerned.length === 0 ? 'None' : html`${concerned}`],
    ...(incident.source === 'downtime'
      ? [['Noted by', 'The service itself: it had not been running'] as const]
      : []),
  ]);
  return panel({ id: 'facts', title: 'Facts', live: true, body });
}

function changePanel({ incident, components }: IncidentView): Html | undefined {
  const name = field({
    id: 'change-name',
    name: 'name',
    label: 'Name',
    value: incident.name,
    attributes: { required: true },
  });
  const isIncident = incident.kind === 'incident';
  if (!isIncident && incident.status === 'completed') return undefined;
  const inputs = isIncident
    ? html`${name}${select({ id: 'change-impact', name: 'impact', label: 'Impact', options: impactOptions.slice(1), value: incident.impact })}`
    : html`${name}${timeFields('change', incident.scheduledFor ?? 0, incident.scheduledUntil ?? 0, incident.status !== 'scheduled')}${maintainedFields('change', components, incident.components)}`;
  return panel({
    id: 'change',
    title: isIncident ? 'Name and impact' : 'Name, times and components',
    hint: 'Nobody is told of this by mail.',
    body: postForm({ action: `${placeOfIncident(incident)}/change`, inputs, button: 'Save' }),
  });
}

function deletePanel(incident: Incident): Html {
  const form = confirmForm({
    id: 'delete',
    action: `${placeOfIncident(incident)}/delete`,
    open: incident.kind === 'incident' ? 'Delete this incident' : 'Delete this maintenance',
    word: 'delete',
    button: 'Delete it for good',
    warning:
      'Everything that was said about it is lost, and what it did to the uptime is taken back. To keep it in the history, end it instead.',
  });
  return panel({ id: 'danger', title: 'Delete', body: form });
}

/** An incident, or maintenance, with everything that was said about it. */
export function incidentPage(
  view: IncidentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { incident } = view;
  const body = html`<div class="columns"><div>${factsPanel(view)}${timeline(incident)}</div>
${isAdmin ? html`<div>${updatePanel(view)}${changePanel(view)}${deletePanel(incident)}</div>` : undefined}</div>`;
  return {
    section: 'status',
    title: incident.name,
    notice,
    body,
    channels: ['status'],
    every: 30,
    actions: html`${isAdmin ? quickActions(incident) : undefined}<a href="/status/incidents/${incident.id}">Public page</a><a href="${sectionPath('status')}">Status</a>`,
  };
}
