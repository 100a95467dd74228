import { type FormValues, instantOf, listOf, textOf, textsWithPrefix } from '../forms.ts';

/** Leaves out undefined values: the API's schemas set defaults, or keep the present values. */
const omitUndefined = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const affectedComponents = (values: FormValues) =>
  textsWithPrefix(values, 'component.').map(([id, status]) => ({ id, status }));

const numberOf = (text: string | undefined): number | string | undefined =>
  text === undefined || !/^-?\d+$/.test(text) ? text : Number(text);

export const newIncidentBody = (values: FormValues) =>
  omitUndefined({
    name: textOf(values, 'name') ?? '',
    impact: textOf(values, 'impact'),
    status: textOf(values, 'status'),
    body: textOf(values, 'body') ?? '',
    components: affectedComponents(values),
  });

export const incidentBody = (values: FormValues) =>
  omitUndefined({ name: textOf(values, 'name'), impact: textOf(values, 'impact') });

/** An update to an incident or maintenance window. Without components in the form, none change. */
export function incidentUpdateBody(values: FormValues) {
  const hasComponents = textOf(values, 'with_components') !== undefined;
  return omitUndefined({
    status: textOf(values, 'status'),
    body: textOf(values, 'body') ?? '',
    components: hasComponents ? affectedComponents(values) : undefined,
  });
}

const schedule = (values: FormValues) => ({
  components: listOf(values, 'component[]'),
  scheduled_for: instantOf(values, 'scheduled_for'),
  scheduled_until: instantOf(values, 'scheduled_until'),
});

export const newMaintenanceBody = (values: FormValues) =>
  omitUndefined({
    name: textOf(values, 'name') ?? '',
    body: textOf(values, 'body') ?? '',
    ...schedule(values),
  });

export const maintenanceBody = (values: FormValues) =>
  omitUndefined({ name: textOf(values, 'name'), ...schedule(values) });

function checkSettings(values: FormValues) {
  const codes = textOf(values, 'expected_status');
  return omitUndefined({
    interval_s: numberOf(textOf(values, 'interval_s')),
    timeout_ms: numberOf(textOf(values, 'timeout_ms')),
    expected_status: codes?.split(',').map((code) => numberOf(code.trim())) ?? null,
  });
}

const presentation = (values: FormValues) => ({
  name: textOf(values, 'name') ?? '',
  group: textOf(values, 'group') ?? null,
  description: textOf(values, 'description') ?? null,
  only_show_if_degraded: textOf(values, 'only_show_if_degraded') === 'true',
});

export const newComponentBody = (values: FormValues) => ({
  ...presentation(values),
  source: textOf(values, 'source'),
  target: textOf(values, 'target') ?? '',
  settings: checkSettings(values),
});

/** Forms of built-in components have neither a target nor settings. */
export function componentBody(values: FormValues) {
  const target = textOf(values, 'target');
  return omitUndefined({
    ...presentation(values),
    position: numberOf(textOf(values, 'position')),
    target,
    settings: target === undefined ? undefined : checkSettings(values),
  });
}
