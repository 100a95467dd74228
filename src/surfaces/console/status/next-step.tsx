import type { Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/store.ts';
import { CreateIncidentUpdateBody } from '../../../areas/status/incidents/schemas.incidents.ts';
import { ActionButton, ConsoleForm } from '../components/console-form.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { formPage } from '../components/form-page.tsx';
import { fieldsOf } from '../forms/schema-fields.tsx';
import type { ConsolePage } from '../layout.tsx';
import { sectionPath } from '../sections.ts';
import { formPath } from './incident-forms.tsx';
import { incidentPath } from './labels.tsx';
import { texts } from './texts/en.ts';

const words = texts.incidentPage;

interface Step {
  status: Incident['status'];
  body: string;
  label: string;
}

/** The most common next update; undefined for what is over. */
export function nextStep({ kind, status, resolvedAt }: Incident): Step | undefined {
  if (resolvedAt !== null) return undefined;
  if (kind === 'incident')
    return { status: 'resolved', body: words.resolveMessage, label: words.resolve };
  return status === 'scheduled'
    ? { status: 'in_progress', body: words.startMessage, label: words.start }
    : { status: 'completed', body: words.endMessage, label: words.end };
}

/** The button for it. Where people are emailed, a form with their number comes first. */
export function nextStepButton(incident: Incident, subscribers: number): Html | undefined {
  const step = nextStep(incident);
  if (step === undefined) return undefined;
  const { label, status, body } = step;
  if (subscribers > 0)
    return <DrawerLink label={label} kind="primary" href={`${incidentPath(incident.id)}/next`} />;
  return (
    <ActionButton
      action={`${formPath(incident)}/updates`}
      values={{ status, body }}
      label={label}
      size="medium"
    />
  );
}

/** What will be published, and how many people get it. */
export function nextStepPage(incident: Incident, step: Step, subscribers: number): ConsolePage {
  const { id, name } = incident;
  const field = fieldsOf(CreateIncidentUpdateBody, { idPrefix: 'next', texts: words });
  return formPage({
    section: 'status',
    title: step.label,
    breadcrumbs: [
      { href: sectionPath('status'), text: texts.title },
      { href: incidentPath(id), text: name },
    ],
    children: (
      <ConsoleForm
        action={`${formPath(incident)}/updates`}
        values={{ status: step.status }}
        submit={{ label: step.label }}
        cancel={incidentPath(id)}
        note={texts.emailed({ count: subscribers })}
      >
        {field('body', { value: step.body })}
      </ConsoleForm>
    ),
  });
}
