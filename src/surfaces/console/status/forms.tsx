import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { hourMs } from '../../../lib/durations.ts';
import { CreateIncidentBody } from '../../../areas/status/incidents/schemas.incidents.ts';
import { CreateMaintenanceBody } from '../../../areas/status/incidents/schemas.maintenances.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { CheckField, FieldSet, SelectField } from '../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { withQuery } from '../components/navigation.tsx';
import { fieldsOf } from '../forms/schema-fields.tsx';
import { sectionPath } from '../sections.ts';
import { newPaths, statusName } from './labels.tsx';
import { texts } from './texts/en.ts';

const home = sectionPath('status');

/** What an incident's form can be filled in for. */
export const incidentTemplates = ['outage', 'slow', 'errors', 'provider'] as const;
export type IncidentTemplate = (typeof incidentTemplates)[number];

type Named = Pick<ComponentState, 'id' | 'name'>;

const componentsFieldset = (inputs: Content): Html => (
  <fieldset class="form-fieldset pairs">
    <legend>{escapeHtml(texts.incident.components)}</legend>
    {inputs}
  </fieldset>
);

const affectedOptions = [
  ['', texts.incident.unaffected],
  ...['degraded_performance', 'partial_outage', 'major_outage', 'operational'].map(
    (status) => [status, statusName(status)] as const,
  ),
] as const;

/** A field for the status of each component. `now`: the current ones, by id. */
export const affectedFields = (
  prefix: string,
  components: readonly Named[],
  now: ReadonlyMap<string, string> = new Map(),
): Html =>
  componentsFieldset(
    components.map(({ id, name }) => (
      <SelectField
        id={`${prefix}-component-${id}`}
        name={`component.${id}`}
        label={name}
        options={affectedOptions}
        value={now.get(id) ?? ''}
      />
    )),
  );

/** A field whose time is shown in the viewer's zone. Without a script it is in UTC. */
export const localTime = { attributes: { 'data-local-time': true } };

/** The zone of the times above: with a script that of the viewer, and the same times in UTC. */
export const zoneNote = (): Html => (
  <p class="hint zone-note" data-zone-note="utc" aria-live="polite">
    {escapeHtml(texts.maintenance.utc)}
  </p>
);

/** Checkboxes for the components under maintenance. */
export const maintenanceFields = (
  prefix: string,
  components: readonly Named[],
  now: readonly string[] = [],
): Html =>
  componentsFieldset(
    components.map(({ id, name }) => (
      <CheckField
        id={`${prefix}-component-${id}`}
        name="components[]"
        value={id}
        label={name}
        isChecked={now.includes(id)}
      />
    )),
  );

/** Links to the form, filled in for what happens most. */
const templateLinks = (current: IncidentTemplate | undefined): Html => (
  <FieldSet legend={texts.incident.templates}>
    <div class="btn-row">
      {incidentTemplates.map((id) => (
        <Button
          label={texts.templates[id].label}
          size="small"
          {...(id === current ? { icon: 'check' as const } : {})}
          href={withQuery(newPaths.incident, { template: id })}
          attributes={{
            'data-drawer': 'stay',
            'aria-current': id === current ? 'true' : undefined,
          }}
        />
      ))}
    </div>
  </FieldSet>
);

export interface OpenIncidentOptions {
  components: readonly Named[];
  /** Beside the button. */
  note: string;
  /** What the form is filled in for. */
  template: IncidentTemplate | undefined;
}

/** The form for a new incident. */
export function openIncidentForm({ components, note, template }: OpenIncidentOptions): Html {
  const { fields, hints, impacts, submit } = texts.incident;
  const field = fieldsOf(CreateIncidentBody, {
    idPrefix: 'incident',
    texts: { fields, hints, values: { impact: impacts, status: texts.statuses } },
    entry: template && texts.templates[template],
  });
  return (
    <ConsoleForm action={`${home}/incidents`} submit={{ label: submit }} cancel={home} note={note}>
      {templateLinks(template)}
      {field('name')}
      <div class="field-row">
        {field('impact')}
        {field('status')}
      </div>
      {field('body')}
      {affectedFields('incident', components)}
    </ConsoleForm>
  );
}

/** The form for new maintenance. It proposes about this time tomorrow. */
export function planForm(components: readonly Named[], now: number, note: string): Html {
  const from = Math.ceil((now + 23 * hourMs) / hourMs) * hourMs;
  const field = fieldsOf(CreateMaintenanceBody, { idPrefix: 'plan', texts: texts.maintenance });
  return (
    <ConsoleForm
      action={`${home}/maintenances`}
      submit={{ label: texts.maintenance.submit }}
      cancel={home}
      note={note}
    >
      {field('name')}
      <div class="field-row">
        {field('scheduled_for', { ...localTime, value: new Date(from).toISOString() })}
        {field('scheduled_until', { ...localTime, value: new Date(from + hourMs).toISOString() })}
      </div>
      {zoneNote()}
      {field('body')}
      {maintenanceFields('plan', components)}
    </ConsoleForm>
  );
}
