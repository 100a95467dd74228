import type { Html } from '../../../lib/text/html.ts';
import {
  type ComponentView,
  CreateComponentBody,
  UpdateComponentBody,
} from '../../../areas/status/components/schemas.ts';
import { formatDuration } from '../../../platform/i18n/durations.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { SelectField } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { ConsoleForm, WordForm } from '../components/console-form.tsx';
import { fieldsOf } from '../forms/schema-fields.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

const home = sectionPath('status');

const intervals = [15, 30, 60, 120, 300, 600, 900, 1800, 3600];
const timeouts = [1000, 2000, 5000, 10_000, 20_000, 30_000];

/** Choices in words, also the present value where it is not one of the usual ones. */
function choices(usual: readonly number[], present: number, unitMs: number) {
  const all = [...new Set([...usual, present])].toSorted((a, b) => a - b);
  return all.map((value) => [String(value), secondsText((value * unitMs) / 1000)] as const);
}

const secondsText = (seconds: number): string =>
  seconds < 1
    ? texts.check.milliseconds({ ms: Math.round(seconds * 1000) })
    : formatDuration(seconds, { long: true });

/** How often a target is checked, and how long it may take. */
function timingFields(idPrefix: string, settings: ComponentView['settings'] | undefined): Html {
  const { interval_s: interval = 60, timeout_ms: timeout = 10_000 } = settings ?? {};
  const { fields } = texts.check;
  return (
    <div class="field-row">
      <SelectField
        id={`${idPrefix}-settings-interval_s`}
        name="settings.interval_s"
        label={fields['settings.interval_s']}
        options={choices(intervals, interval, 1000)}
        value={String(interval)}
      />
      <SelectField
        id={`${idPrefix}-settings-timeout_ms`}
        name="settings.timeout_ms"
        label={fields['settings.timeout_ms']}
        options={choices(timeouts, timeout, 1)}
        value={String(timeout)}
      />
    </div>
  );
}

/** Fields of a component, or of a new one. Built-in checks have no target. */
function componentFields(idPrefix: string, component?: ComponentView): Html {
  const hasTarget = component?.source !== 'builtin';
  const field = fieldsOf(CreateComponentBody, { idPrefix, texts: texts.check, entry: component });
  const { description, group, settings, only_show_if_degraded: isHidden } = component ?? {};
  const rare = [description, group, settings?.expected_status];
  const hasMore = isHidden === true || rare.some((value) => value != null);
  return (
    <>
      {field('name')}
      {component === undefined && field('source')}
      {hasTarget && field('target', { isLine: true })}
      {hasTarget && timingFields(idPrefix, settings)}
      <Disclosure summary={texts.check.more} isOpen={hasMore}>
        {field('group')}
        {field('description', { isLine: true })}
        {hasTarget && field('settings.expected_status')}
        {component !== undefined &&
          fieldsOf(UpdateComponentBody, { idPrefix, texts: texts.check, entry: component })(
            'position',
          )}
        {field('only_show_if_degraded')}
      </Disclosure>
    </>
  );
}

/** What one check of a target found. */
export interface TestResult {
  isGood: boolean;
  /** Until the answer, or until it was given up. */
  ms: number;
}

function testResult({ isGood, ms }: TestResult): Html {
  const { answered, failed } = texts.check.result;
  const time =
    ms < 1000 ? texts.check.milliseconds({ ms: Math.round(ms) }) : secondsText(ms / 1000);
  return (
    <p role="status">
      <Badge text={isGood ? answered({ time }) : failed({ time })} tone={isGood ? 'ok' : 'bad'} />
    </p>
  );
}

/** The form for a new check. `result`: of its test. */
export const addComponentForm = (result?: TestResult): Html => (
  <ConsoleForm
    action={`${home}/components`}
    submit={{ label: texts.check.submit }}
    cancel={home}
    otherButtons={
      <Button
        label={texts.check.test}
        icon="pulse"
        attributes={{ name: 'intent', value: 'test' }}
      />
    }
  >
    {componentFields('new')}
    {result && testResult(result)}
  </ConsoleForm>
);

/** A form that changes a component. */
export const changeComponentForm = (component: ComponentView): Html => (
  <ConsoleForm
    action={`${home}/components/${component.id}`}
    submit={{ label: texts.check.save }}
    cancel={`${home}/components/${component.id}`}
  >
    {componentFields('component', component)}
  </ConsoleForm>
);

/** A form that archives a component, which takes its id as the word to type. */
export const archiveForm = ({ id }: ComponentView): Html => (
  <WordForm
    id="archive"
    action={`${home}/components/${id}/archive`}
    word={id}
    submit={texts.check.archive}
    points={texts.check.archivePoints}
    cancel={`${home}/components/${id}`}
    warning={texts.check.archiveWarning}
  />
);
