import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.components.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import {
  CheckField,
  Field,
  SelectField,
  TextField,
} from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { ConfirmForm, ConsoleForm } from '../components/console-form.tsx';
import { sectionPath } from '../sections.ts';
import { statusName } from './labels.tsx';
import { texts } from './texts/en.ts';

const home = sectionPath('status');

const affectedStatuses = [
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'operational',
] as const;

export const impactOptions = [
  ['', texts.incident.matchComponents],
  ['none', texts.incident.impacts.none],
  ['minor', texts.incident.impacts.minor],
  ['major', texts.incident.impacts.major],
  ['critical', texts.incident.impacts.critical],
] as const;

type Named = Pick<ComponentState, 'id' | 'name'>;

const componentsFieldset = (inputs: Content): Html => (
  <fieldset class="form-fieldset pairs">
    <legend>{escapeHtml(texts.incident.components)}</legend>
    {inputs}
  </fieldset>
);

const affectedOptions = [
  ['', texts.incident.unaffected],
  ...affectedStatuses.map((status) => [status, statusName(status)] as const),
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
        name="component[]"
        value={id}
        label={name}
        isChecked={now.includes(id)}
      />
    )),
  );

const firstSteps = ['investigating', 'identified', 'monitoring'];

/** A button that opens a form for a new incident. */
export function openIncidentForm(components: readonly Named[]): Html {
  const words = texts.incident;
  return (
    <Disclosure id="open-incident" summary={texts.actions.openIncident} kind="primary">
      <ConsoleForm action={`${home}/incidents`} submit={{ label: words.submit }}>
        <Field id="incident-name" name="name" label={words.name} hint={words.nameHint} isRequired />
        <div class="columns">
          <SelectField
            id="incident-impact"
            name="impact"
            label={words.impact}
            options={impactOptions}
          />
          <SelectField
            id="incident-status"
            name="status"
            label={words.status}
            options={firstSteps.map((step) => [step, statusName(step)])}
          />
        </div>
        <TextField
          id="incident-body"
          name="body"
          label={words.body}
          hint={words.bodyHint}
          isRequired
        />
        {affectedFields('incident', components)}
      </ConsoleForm>
    </Disclosure>
  );
}

/** Formats an instant (Unix ms) for `datetime-local`, in UTC. */
const localValue = (at: number): string => new Date(at).toISOString().slice(0, 16);

/** Start and end of maintenance. Once it has begun, only the end can be changed. */
export const timeFields = (prefix: string, from: number, until: number, hasBegun = false): Html => (
  <div class="columns">
    {!hasBegun && (
      <Field
        id={`${prefix}-from`}
        name="scheduled_for"
        label={texts.maintenance.starts}
        type="datetime-local"
        value={localValue(from)}
        isRequired
      />
    )}
    <Field
      id={`${prefix}-until`}
      name="scheduled_until"
      label={texts.maintenance.ends}
      type="datetime-local"
      value={localValue(until)}
      isRequired
    />
  </div>
);

/** A button that opens a form for new maintenance. It proposes about this time tomorrow. */
export function planForm(components: readonly Named[], now: number): Html {
  const words = texts.maintenance;
  const from = Math.ceil((now + 23 * hourMs) / hourMs) * hourMs;
  return (
    <Disclosure id="plan-maintenance" summary={texts.actions.planMaintenance} kind="secondary">
      <ConsoleForm action={`${home}/maintenances`} submit={{ label: words.submit }}>
        <Field id="plan-name" name="name" label={words.name} isRequired />
        {timeFields('plan', from, from + hourMs)}
        <TextField id="plan-body" name="body" label={words.body} hint={words.bodyHint} isRequired />
        {maintenanceFields('plan', components)}
      </ConsoleForm>
    </Disclosure>
  );
}

/** Settings of a check. Built-in checks have none. */
function checkFields(prefix: string, settings: ComponentView['settings'] | undefined): Html {
  const words = texts.check;
  return (
    <>
      <div class="columns">
        <Field
          id={`${prefix}-interval_s`}
          name="interval_s"
          label={words.interval}
          type="number"
          value={String(settings?.interval_s ?? 60)}
          isRequired
          attributes={{ min: 15, max: 3600 }}
        />
        <Field
          id={`${prefix}-timeout_ms`}
          name="timeout_ms"
          label={words.timeout}
          type="number"
          value={String(settings?.timeout_ms ?? 10_000)}
          isRequired
          attributes={{ min: 100, max: 30_000 }}
        />
      </div>
      <Field
        id={`${prefix}-expected`}
        name="expected_status"
        label={words.expected}
        hint={words.expectedHint}
        value={settings?.expected_status?.join(', ')}
      />
    </>
  );
}

const kindField = (prefix: string): Html => (
  <SelectField
    id={`${prefix}-source`}
    name="source"
    label={texts.check.kind}
    options={[
      ['http', texts.check.http],
      ['tcp', texts.check.tcp],
    ]}
  />
);

/** Fields of a component, or of a new one. Built-in checks have no target. */
function componentFields(prefix: string, component?: ComponentView): Html {
  const words = texts.check;
  const hasTarget = component?.source !== 'builtin';
  return (
    <>
      <Field
        id={`${prefix}-name`}
        name="name"
        label={words.name}
        value={component?.name}
        isRequired
      />
      {component === undefined && kindField(prefix)}
      {hasTarget && (
        <Field
          id={`${prefix}-target`}
          name="target"
          label={words.target}
          hint={words.targetHint}
          value={component?.target ?? ''}
          maxLength={2048}
          isRequired
        />
      )}
      <Field
        id={`${prefix}-group`}
        name="group"
        label={words.group}
        hint={words.groupHint}
        value={component?.group ?? ''}
        maxLength={100}
      />
      <Field
        id={`${prefix}-description`}
        name="description"
        label={words.description}
        value={component?.description ?? ''}
        maxLength={500}
      />
      {hasTarget && checkFields(prefix, component?.settings)}
      <CheckField
        id={`${prefix}-hidden`}
        name="only_show_if_degraded"
        label={words.hidden}
        isChecked={component?.only_show_if_degraded === true}
      />
    </>
  );
}

/** A button that opens a form for a new check. */
export const addComponentForm = (): Html => (
  <Disclosure id="add-component" summary={texts.actions.addComponent} kind="secondary">
    <ConsoleForm action={`${home}/components`} submit={{ label: texts.check.submit }}>
      {componentFields('new')}
    </ConsoleForm>
  </Disclosure>
);

/** A form that changes a component. */
export const changeComponentForm = (component: ComponentView): Html => (
  <ConsoleForm
    action={`${home}/components/${component.id}`}
    values={{ source: component.source }}
    submit={{ label: texts.check.save }}
  >
    {componentFields('component', component)}
    <Field
      id="component-position"
      name="position"
      label={texts.check.position}
      hint={texts.check.positionHint}
      type="number"
      value={String(component.position)}
      isRequired
      attributes={{ min: 0, max: 10_000 }}
    />
  </ConsoleForm>
);

/** A form that archives a component, which takes its id as the word to type. */
export const archiveForm = ({ id }: ComponentView): Html => (
  <ConfirmForm
    id="archive"
    action={`${home}/components/${id}/archive`}
    open={texts.check.archive}
    word={id}
    submit={texts.check.archive}
    warning={texts.check.archiveWarning}
  />
);
