import { html, type Html } from '../../../lib/text/html.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.components.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import { select, field, postForm, textarea, confirmForm } from '../components/forms.ts';
import { sectionPath } from '../sections.ts';
import { words } from './labels.ts';

const home = sectionPath('status');

const concerned = [
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'operational',
] as const;

/**
 * Which components an incident concerns: how each one is, or that it is not concerned. `now`: those
 * that are.
 */
export function concernedFields(
  prefix: string,
  components: readonly Pick<ComponentState, 'id' | 'name'>[],
  now: ReadonlyMap<string, string> = new Map(),
): Html {
  const options = [
    ['', 'Not concerned'],
    ...concerned.map((status) => [status, words(status)] as const),
  ] as const;
  return html`<fieldset class="pairs"><legend>Components</legend>${components.map(({ id, name }) =>
    select({
      id: `${prefix}-component-${id}`,
      name: `component.${id}`,
      label: name,
      options,
      value: now.get(id) ?? '',
    }),
  )}</fieldset>\n`;
}

/** Which components are under maintenance. */
export const maintainedFields = (
  prefix: string,
  components: readonly Pick<ComponentState, 'id' | 'name'>[],
  now: readonly string[] = [],
): Html =>
  html`<fieldset class="pairs"><legend>Components</legend>${components.map(
    ({ id, name }) =>
      html`<div class="check"><input type="checkbox" id="${prefix}-component-${id}" name="component[]" value="${id}"${now.includes(id) ? html` checked` : undefined}><label for="${prefix}-component-${id}">${name}</label></div>`,
  )}</fieldset>\n`;

export const impactOptions = [
  ['', 'As bad as the components'],
  ['none', 'None'],
  ['minor', 'Minor'],
  ['major', 'Major'],
  ['critical', 'Critical'],
] as const;

/** What a form that is rarely needed is opened by. */
const folded = (id: string, title: string, body: Html): Html =>
  html`<details class="form" id="${id}"><summary>${title}</summary>${body}</details>\n`;

export function openIncidentForm(components: readonly ComponentState[]): Html {
  const inputs = html`${field({ id: 'incident-name', name: 'name', label: 'Name', hint: 'What customers notice, in a few words.', attributes: { required: true } })}
<div class="columns">${select({ id: 'incident-impact', name: 'impact', label: 'Impact', options: impactOptions })}
${select({ id: 'incident-status', name: 'status', label: 'Status', options: ['investigating', 'identified', 'monitoring'].map((status) => [status, words(status)] as const) })}</div>
${textarea({ id: 'incident-body', name: 'body', label: 'First message', hint: 'Plain text. It is on the status page at once, and subscribers get it by e-mail.' })}
${concernedFields('incident', components)}`;
  return folded(
    'open-incident',
    'Open an incident',
    postForm({ action: `${home}/incidents`, inputs, button: 'Open the incident', kind: 'first' }),
  );
}

/** An instant (UTC), for `datetime-local`. */
const localValue = (at: number): string => new Date(at).toISOString().slice(0, 16);

/** Begin and end of maintenance, in UTC. */
export function timeFields(prefix: string, from: number, until: number, isBegun = false): Html {
  const begin = isBegun
    ? undefined
    : field({
        id: `${prefix}-from`,
        name: 'scheduled_for',
        label: 'Begins (UTC)',
        type: 'datetime-local',
        value: localValue(from),
        attributes: { required: true },
      });
  return html`<div class="columns">${begin}
${field({ id: `${prefix}-until`, name: 'scheduled_until', label: 'Ends (UTC)', type: 'datetime-local', value: localValue(until), attributes: { required: true } })}</div>`;
}

export function planForm(components: readonly ComponentState[], now: number): Html {
  const from = Math.ceil((now + 23 * hourMs) / hourMs) * hourMs;
  const inputs = html`${field({ id: 'plan-name', name: 'name', label: 'Name', attributes: { required: true } })}
${timeFields('plan', from, from + hourMs)}
${textarea({ id: 'plan-body', name: 'body', label: 'Message', hint: 'What will not work meanwhile. Subscribers get it now, and again when it begins and ends.' })}
${maintainedFields('plan', components)}`;
  return folded(
    'plan-maintenance',
    'Plan maintenance',
    postForm({
      action: `${home}/maintenances`,
      inputs,
      button: 'Announce the maintenance',
      kind: 'first',
    }),
  );
}

/** What can be said of every component, and how those are checked that can be pointed somewhere. */
function componentFields(prefix: string, component?: ComponentView): Html {
  const isChecked = component?.source !== 'builtin';
  const number = (name: string, label: string, value: number, min: number, max: number) =>
    field({
      id: `${prefix}-${name}`,
      name,
      label,
      type: 'number',
      value: String(value),
      attributes: { min, max, required: true },
    });
  const settings = component?.settings;
  return html`${field({ id: `${prefix}-name`, name: 'name', label: 'Name', value: component?.name ?? '', attributes: { required: true } })}
${
  component === undefined
    ? select({
        id: `${prefix}-source`,
        name: 'source',
        label: 'Kind of check',
        options: [
          ['http', 'HTTP: asks a URL'],
          ['tcp', 'TCP: opens a connection'],
        ],
      })
    : undefined
}
${isChecked ? field({ id: `${prefix}-target`, name: 'target', label: 'Target', hint: 'A URL for HTTP, host:port for TCP.', maxLength: 2048, value: component?.target ?? '', attributes: { required: true } }) : undefined}
${field({ id: `${prefix}-group`, name: 'group', label: 'Group', hint: 'The heading that it stands under; may be empty.', maxLength: 100, value: component?.group ?? '' })}
${field({ id: `${prefix}-description`, name: 'description', label: 'Description', hint: 'May be empty.', maxLength: 500, value: component?.description ?? '' })}
${
  isChecked
    ? html`<div class="columns">${number('interval_s', 'Seconds between two checks', settings?.interval_s ?? 60, 15, 3600)}${number('timeout_ms', 'Milliseconds that an answer may take', settings?.timeout_ms ?? 10_000, 100, 30_000)}</div>
${field({ id: `${prefix}-expected`, name: 'expected_status', label: 'Good status codes (HTTP)', hint: 'Separated by commas. Empty: 200 to 399.', value: settings?.expected_status?.join(', ') ?? '' })}`
    : undefined
}
<div class="check"><input type="checkbox" id="${prefix}-hidden" name="only_show_if_degraded" value="true"${component?.only_show_if_degraded === true ? html` checked` : undefined}><label for="${prefix}-hidden">Show it only while something is wrong with it</label></div>`;
}

export const addComponentForm = (): Html =>
  folded(
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
  const position = field({
    id: 'component-position',
    name: 'position',
    label: 'Position',
    hint: 'Smaller ones stand first.',
    type: 'number',
    value: String(component.position),
    attributes: { min: 0, max: 10_000, required: true },
  });
  return postForm({
    action: `${home}/components/${component.id}`,
    values: { source: component.source },
    inputs: html`${componentFields('component', component)}${position}`,
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
