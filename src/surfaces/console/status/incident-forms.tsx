import type { Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/store.ts';
import { UpdateIncidentBody } from '../../../areas/status/incidents/schemas.incidents.ts';
import { UpdateMaintenanceBody } from '../../../areas/status/incidents/schemas.maintenances.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import { ConsoleForm } from '../components/console-form.tsx';
import { fieldsOf } from '../forms/schema-fields.tsx';
import { sectionPath } from '../sections.ts';
import { localTime, maintenanceFields, zoneNote } from './forms.tsx';
import { incidentPath } from './labels.tsx';
import { texts } from './texts/en.ts';

export interface IncidentView {
  incident: Incident;
  components: readonly ComponentState[];
}

const words = texts.incidentPage;

/** Where the forms of an incident or a maintenance are sent. */
export const formPath = ({ kind, id }: Incident): string =>
  `${sectionPath('status')}/${kind === 'incident' ? 'incidents' : 'maintenances'}/${id}`;

/** The fields that change an incident or maintenance; once begun, only its end can change. */
function changeFields({ incident, components }: IncidentView): Html {
  const { fields, impacts } = texts.incident;
  if (incident.kind === 'incident') {
    const field = fieldsOf(UpdateIncidentBody, {
      idPrefix: 'change',
      texts: { fields, values: { impact: impacts } },
      entry: { ...incident },
    });
    return (
      <>
        {field('name')}
        {field('impact')}
      </>
    );
  }
  const isoOf = (at: number | null) => new Date(at ?? 0).toISOString();
  const { name, scheduledFor, scheduledUntil, status } = incident;
  const field = fieldsOf(UpdateMaintenanceBody, {
    idPrefix: 'change',
    texts: texts.maintenance,
    entry: { name, scheduled_for: isoOf(scheduledFor), scheduled_until: isoOf(scheduledUntil) },
  });
  return (
    <>
      {field('name')}
      <div class="field-row">
        {status === 'scheduled' && field('scheduled_for', localTime)}
        {field('scheduled_until', localTime)}
      </div>
      {zoneNote()}
      {maintenanceFields('change', components, incident.components)}
    </>
  );
}

/** The form that changes an incident or a maintenance. */
export const changeIncidentForm = (view: IncidentView): Html => (
  <ConsoleForm
    action={`${formPath(view.incident)}/change`}
    submit={{ label: words.save }}
    cancel={incidentPath(view.incident.id)}
    note={words.editHint}
  >
    {changeFields(view)}
  </ConsoleForm>
);

/** Whether it can still be changed: a maintenance that is over stays as it was. */
export const mayChange = ({ kind, status }: Incident): boolean =>
  kind === 'incident' || status !== 'completed';
