import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { hourMs } from '../../../lib/durations.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.components.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import {
  checkbox,
  confirmForm,
  field,
  type FieldOptions,
  postForm,
  select,
  textarea,
} from '../components/forms.tsx';
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
    <legend safe>{texts.incident.components}</legend>
    {inputs}
  </fieldset>
);

/** A field for the status of each component. `now`: the current ones, by id. */
export function affectedFields(
  prefix: string,
  components: readonly Named[],
  now: ReadonlyMap<string, string> = new Map(),
): Html {
  const options = [
    ['', texts.incident.unaffected],
    ...affectedStatuses.map((status) => [status, statusName(status)] as const),
  ] as const;
  return componentsFieldset(
    components.map(({ id, name }) =>
      select({
        id: `${prefix}-component-${id}`,
        name: `component.${id}`,
        label: name,
        options,
        value: now.get(id) ?? '',
      }),
    ),
  );
}

/** Checkboxes for the components under maintenance. */
export const maintenanceFields = (
  prefix: string,
  components: readonly Named[],
  now: readonly string[] = [],
): Html =>
  componentsFieldset(
    components.map(({ id, name }) =>
      checkbox({
        id: `${prefix}-component-${id}`,
        name: 'component[]',
        value: id,
        label: escapeHtml(name),
        isChecked: now.includes(id),
      }),
    ),
  );

/** A button that opens a form below it, also without JavaScript. */
const opener = (id: string, title: string, body: Html, kind: 'primary' | 'secondary'): Html => (
  <Disclosure id={id} summary={title} kind={kind}>
    {body}
  </Disclosure>
);

const requiredField = (options: FieldOptions): Html =>
  field({ ...options, attributes: { required: true } });

const firstSteps = ['investigating', 'identified', 'monitoring'];

export function openIncidentForm(components: readonly ComponentState[]): Html {
  const words = texts.incident;
  const impact = select({
    id: 'incident-impact',
    name: 'impact',
    label: words.impact,
    options: impactOptions,
  });
  const status = select({
    id: 'incident-status',
    name: 'status',
    label: words.status,
    options: firstSteps.map((step) => [step, statusName(step)] as const),
  });
  const inputs = [
    requiredField({
      id: 'incident-name',
      name: 'name',
      label: words.name,
      hint: words.nameHint,
    }),
    <div class="columns">
      {impact}
      {status}
    </div>,
    textarea({
      id: 'incident-body',
      name: 'body',
      label: words.body,
      hint: words.bodyHint,
    }),
    affectedFields('incident', components),
  ];
  const form = {
    action: `${home}/incidents`,
    inputs,
    button: words.submit,
    kind: 'first',
  } as const;
  return opener('open-incident', texts.actions.openIncident, postForm(form), 'primary');
}

/** Formats an instant (Unix ms) for `datetime-local`, in UTC. */
const localValue = (at: number): string => new Date(at).toISOString().slice(0, 16);

/** Start and end of maintenance. Once it has begun, only the end can be changed. */
export function timeFields(prefix: string, from: number, until: number, hasBegun = false): Html {
  const instant = (id: string, name: string, label: string, at: number) =>
    requiredField({
      id: `${prefix}-${id}`,
      name,
      label,
      type: 'datetime-local',
      value: localValue(at),
    });
  const begin = hasBegun
    ? undefined
    : instant('from', 'scheduled_for', texts.maintenance.starts, from);
  const end = instant('until', 'scheduled_until', texts.maintenance.ends, until);
  return (
    <div class="columns">
      {begin}
      {end}
    </div>
  );
}

export function planForm(components: readonly ComponentState[], now: number): Html {
  const words = texts.maintenance;
  const from = Math.ceil((now + 23 * hourMs) / hourMs) * hourMs;
  const inputs = [
    requiredField({ id: 'plan-name', name: 'name', label: words.name }),
    timeFields('plan', from, from + hourMs),
    textarea({
      id: 'plan-body',
      name: 'body',
      label: words.body,
      hint: words.bodyHint,
    }),
    maintenanceFields('plan', components),
  ];
  const action = `${home}/maintenances`;
  const form = postForm({ action, inputs, button: words.submit, kind: 'first' });
  return opener('plan-maintenance', texts.actions.planMaintenance, form, 'secondary');
}

interface NumberField extends Pick<FieldOptions, 'id' | 'name' | 'label' | 'hint'> {
  value: number;
  min: number;
  max: number;
}

const numberField = ({ value, min, max, ...rest }: NumberField): Html =>
  field({
    ...rest,
    type: 'number',
    value: String(value),
    attributes: { min, max, required: true },
  });

/** Settings of a check. Built-in checks have none. */
function checkFields(prefix: string, settings: ComponentView['settings'] | undefined): Html[] {
  const words = texts.check;
  const interval = numberField({
    id: `${prefix}-interval_s`,
    name: 'interval_s',
    label: words.interval,
    value: settings?.interval_s ?? 60,
    min: 15,
    max: 3600,
  });
  const timeout = numberField({
    id: `${prefix}-timeout_ms`,
    name: 'timeout_ms',
    label: words.timeout,
    value: settings?.timeout_ms ?? 10_000,
    min: 100,
    max: 30_000,
  });
  const expected = field({
    id: `${prefix}-expected`,
    name: 'expected_status',
    label: words.expected,
    hint: words.expectedHint,
    value: settings?.expected_status?.join(', '),
  });
  return [
    <div class="columns">
      {interval}
      {timeout}
    </div>,
    expected,
  ];
}

const kindField = (prefix: string): Html =>
  select({
    id: `${prefix}-source`,
    name: 'source',
    label: texts.check.kind,
    options: [
      ['http', texts.check.http],
      ['tcp', texts.check.tcp],
    ],
  });

const targetField = (prefix: string, value: string | null | undefined): Html =>
  requiredField({
    id: `${prefix}-target`,
    name: 'target',
    label: texts.check.target,
    hint: texts.check.targetHint,
    maxLength: 2048,
    value: value ?? '',
  });

/** Fields of a component, or of a new one. Built-in checks have no target. */
function componentFields(prefix: string, component?: ComponentView): Content {
  const words = texts.check;
  const hasTarget = component?.source !== 'builtin';
  return [
    requiredField({
      id: `${prefix}-name`,
      name: 'name',
      label: words.name,
      value: component?.name,
    }),
    component === undefined ? kindField(prefix) : undefined,
    hasTarget ? targetField(prefix, component?.target) : undefined,
    field({
      id: `${prefix}-group`,
      name: 'group',
      label: words.group,
      hint: words.groupHint,
      maxLength: 100,
      value: component?.group ?? '',
    }),
    field({
      id: `${prefix}-description`,
      name: 'description',
      label: words.description,
      maxLength: 500,
      value: component?.description ?? '',
    }),
    ...(hasTarget ? checkFields(prefix, component?.settings) : []),
    checkbox({
      id: `${prefix}-hidden`,
      name: 'only_show_if_degraded',
      label: escapeHtml(words.hidden),
      isChecked: component?.only_show_if_degraded === true,
    }),
  ];
}

export const addComponentForm = (): Html =>
  opener(
    'add-component',
    texts.actions.addComponent,
    postForm({
      action: `${home}/components`,
      inputs: componentFields('new'),
      button: texts.check.submit,
      kind: 'first',
    }),
    'secondary',
  );

export function changeComponentForm(component: ComponentView): Html {
  const position = numberField({
    id: 'component-position',
    name: 'position',
    label: texts.check.position,
    hint: texts.check.positionHint,
    value: component.position,
    min: 0,
    max: 10_000,
  });
  return postForm({
    action: `${home}/components/${component.id}`,
    values: { source: component.source },
    inputs: (
      <>
        {componentFields('component', component)}
        {position}
      </>
    ),
    button: texts.check.save,
    kind: 'first',
  });
}

export const archiveForm = ({ id }: ComponentView): Html =>
  confirmForm({
    id: 'archive',
    action: `${home}/components/${id}/archive`,
    open: texts.check.archive,
    word: id,
    button: texts.check.archive,
    warning: texts.check.archiveWarning,
  });
