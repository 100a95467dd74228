import { type FormValues, instantOf, listOf, textOf, valuesBelow } from '../form-values.ts';

/** What is not given is left out: the schemas of the calls fill it in, or leave it as it is. */
const given = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
const affectedOf = (values: FormValues) =>
  valuesBelow(values, 'component.').map(([id, status]) => ({ id, status }));
const numberOf = (text: string | undefined): number | string | undefined =>
  text === undefined || !/^-?\d+$/.test(text) ? text : Number(text);

/** The body of the call that opens an incident. */
export const newIncident = (values: FormValues) =>
  given({
    name: textOf(values, 'name') ?? '',
    impact: textOf(values, 'impact'),
    status: textOf(values, 'status'),
    body: textOf(values, 'body') ?? '',
    components: affectedOf(values),
  });

/** The body of the call that says how an incident or a maintenance goes on. Components are left as they are unless the form has them. */
export const updateOf = (values: FormValues) =>
  given({
    status: textOf(values, 'status'),
    body: textOf(values, 'body') ?? '',
    components: textOf(values, 'with_components') === undefined ? undefined : affectedOf(values),
  });

export const changedIncident = (values: FormValues) =>
  given({ name: textOf(values, 'name'), impact: textOf(values, 'impact') });

const maintained = (values: FormValues) => ({
  components: listOf(values, 'component[]'),
  scheduled_for: instantOf(values, 'scheduled_for'),
  scheduled_until: instantOf(values, 'scheduled_until'),
});

export const newMaintenance = (values: FormValues) =>
  given({
    name: textOf(values, 'name') ?? '',
    body: textOf(values, 'body') ?? '',
    ...maintained(values),
  });

export const changedMaintenance = (values: FormValues) =>
  given({ name: textOf(values, 'name'), ...maintained(values) });

function settingsOf(values: FormValues) {
  const codes = textOf(values, 'expected_status');
  return given({
    interval_s: numberOf(textOf(values, 'interval_s')),
    timeout_ms: numberOf(textOf(values, 'timeout_ms')),
    expected_status:
      codes === undefined ? null : codes.split(',').map((code) => numberOf(code.trim())),
  });
}

const shown = (values: FormValues) => ({
  name: textOf(values, 'name') ?? '',
  group: textOf(values, 'group') ?? null,
  description: textOf(values, 'description') ?? null,
  only_show_if_degraded: textOf(values, 'only_show_if_degraded') === 'true',
});

/** The body of the call that adds a check. */
export const newComponent = (values: FormValues) => ({
  ...shown(values),
  source: textOf(values, 'source'),
  target: textOf(values, 'target') ?? '',
  settings: settingsOf(values),
});

/** The body of the call that changes a component; of built-in ones the form has no target and no settings. */
export function changedComponent(values: FormValues) {
  const target = textOf(values, 'target');
  return given({
    ...shown(values),
    position: numberOf(textOf(values, 'position')),
    target,
    settings: target === undefined ? undefined : settingsOf(values),
  });
}
