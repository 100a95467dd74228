import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
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
import { words } from './labels.tsx';

const home = sectionPath('status');

const affectedStatuses = [
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'operational',
] as const;

export const impactOptions = [
  ['', 'As bad as the components'],
  ['none', 'None'],
  ['minor', 'Minor'],
  ['major', 'Major'],
  ['critical', 'Critical'],
] as const;

type Named = Pick<ComponentState, 'id' | 'name'>;

const componentsFieldset = (inputs: Content): Html => (
  <fieldset class="pairs">
    <legend>Components</legend>
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
    ['', 'Not concerned'],
    ...affectedStatuses.map((status) => [status, words(status)] as const),
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

/** A collapsed form. */
const collapsed = (id: string, title: string, body: Html): Html => (
  <details class="form" id={id}>
    <summary safe>{title}</summary>
    {body}
  </details>
);

const requiredField = (options: FieldOptions): Html =>
  field({ ...options, attributes: { required: true } });

const firstSteps = ['investigating', 'identified', 'monitoring'];

export function openIncidentForm(components: readonly ComponentState[]): Html {
  const impact = select({
    id: 'incident-impact',
    name: 'impact',
    label: 'Impact',
    options: impactOptions,
  });
  const status = select({
    id: 'incident-status',
    name: 'status',
    label: 'Status',
    options: firstSteps.map((step) => [step, words(step)] as const),
  });
  const inputs = [
    requiredField({
      id: 'incident-name',
      name: 'name',
      label: 'Name',
      hint: 'What customers notice, in a few words.',
    }),
    <div class="columns">
      {impact}
      {status}
    </div>,
    textarea({
      id: 'incident-body',
      name: 'body',
      label: 'First message',
      hint: 'Plain text. It is on the status page at once, ' + 'and subscribers get it by e-mail.',
    }),
    affectedFields('incident', components),
  ];
  return collapsed(
    'open-incident',
    'Open an incident',
    postForm({ action: `${home}/incidents`, inputs, button: 'Open the incident', kind: 'first' }),
  );
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
  const begin = hasBegun ? undefined : instant('from', 'scheduled_for', 'Begins (UTC)', from);
  const end = instant('until', 'scheduled_until', 'Ends (UTC)', until);
  return (
    <div class="columns">
      {begin}
      {end}
    </div>
  );
}

export function planForm(components: readonly ComponentState[], now: number): Html {
  const from = Math.ceil((now + 23 * hourMs) / hourMs) * hourMs;
  const inputs = [
    requiredField({ id: 'plan-name', name: 'name', label: 'Name' }),
    timeFields('plan', from, from + hourMs),
    textarea({
      id: 'plan-body',
      name: 'body',
      label: 'Message',
      hint:
        'What will not work meanwhile. ' +
        'Subscribers get it now, and again when it begins and ends.',
    }),
    maintenanceFields('plan', components),
  ];
  const action = `${home}/maintenances`;
  return collapsed(
    'plan-maintenance',
    'Plan maintenance',
    postForm({ action, inputs, button: 'Announce the maintenance', kind: 'first' }),
  );
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
  const interval = numberField({
    id: `${prefix}-interval_s`,
    name: 'interval_s',
    label: 'Seconds between two checks',
    value: settings?.interval_s ?? 60,
    min: 15,
    max: 3600,
  });
  const timeout = numberField({
    id: `${prefix}-timeout_ms`,
    name: 'timeout_ms',
    label: 'Milliseconds that an answer may take',
    value: settings?.timeout_ms ?? 10_000,
    min: 100,
    max: 30_000,
  });
  const expected = field({
    id: `${prefix}-expected`,
    name: 'expected_status',
    label: 'Good status codes (HTTP)',
    hint: 'Separated by commas. Empty: 200 to 399.',
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
    label: 'Kind of check',
    options: [
      ['http', 'HTTP: asks a URL'],
      ['tcp', 'TCP: opens a connection'],
    ],
  });

const targetField = (prefix: string, value: string | null | undefined): Html =>
  requiredField({
    id: `${prefix}-target`,
    name: 'target',
    label: 'Target',
    hint: 'A URL for HTTP, host:port for TCP.',
    maxLength: 2048,
    value: value ?? '',
  });

/** Fields of a component, or of a new one. Built-in checks have no target. */
function componentFields(prefix: string, component?: ComponentView): Content {
  const hasTarget = component?.source !== 'builtin';
  return [
    requiredField({ id: `${prefix}-name`, name: 'name', label: 'Name', value: component?.name }),
    component === undefined ? kindField(prefix) : undefined,
    hasTarget ? targetField(prefix, component?.target) : undefined,
    field({
      id: `${prefix}-group`,
      name: 'group',
      label: 'Group',
      hint: 'The heading that it stands under; may be empty.',
      maxLength: 100,
      value: component?.group ?? '',
    }),
    field({
      id: `${prefix}-description`,
      name: 'description',
      label: 'Description',
      hint: 'May be empty.',
      maxLength: 500,
      value: component?.description ?? '',
    }),
    ...(hasTarget ? checkFields(prefix, component?.settings) : []),
    checkbox({
      id: `${prefix}-hidden`,
      name: 'only_show_if_degraded',
      label: escapeHtml('Show it only while something is wrong with it'),
      isChecked: component?.only_show_if_degraded === true,
    }),
  ];
}

export const addComponentForm = (): Html =>
  collapsed(
    'add-component',
    'Add a check',
    postForm({
      action: `${home}/components`,
      inputs: componentFields('new'),
      button: 'Add the check',
      kind: 'first',
    }),
  );

export function changeComponentForm(component: ComponentView): Html {
  const position = numberField({
    id: 'component-position',
    name: 'position',
    label: 'Position',
    hint: 'Smaller ones stand first.',
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
    button: 'Save',
    kind: 'first',
  });
}

export const archiveForm = ({ id }: ComponentView): Html =>
  confirmForm({
    id: 'archive',
    action: `${home}/components/${id}/archive`,
    open: 'Take it off the status page',
    word: id,
    button: 'Archive the check',
    warning: 'It is checked no more, and its id stays taken. What was recorded of it is kept.',
  });
