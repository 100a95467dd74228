import { CreateFunnelBody } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import { CreateGoalBody } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Field, FieldSet, SelectField } from '../../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { ConfirmForm, ConsoleForm } from '../../components/console-form.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { texts } from '../texts/en.ts';
import { goalsPath } from './goals-path.ts';

const { goals: goalTexts } = texts;
const { funnels: funnelTexts } = goalTexts;

const kinds = [
  ['page', goalTexts.kinds.page],
  ['event', goalTexts.kinds.event],
] as const;

/** Fields of a goal, or of a step of a funnel (with its number, from 1). */
function stepFields(number?: number): Html {
  const suffix = number ?? '';
  return (
    <div class="field-row">
      <SelectField
        id={`step-kind${suffix}`}
        name={`kind${suffix}`}
        label={goalTexts.fields.kind}
        options={kinds}
      />
      <Field
        id={`step-value${suffix}`}
        name={`value${suffix}`}
        label={goalTexts.fields.value}
        maxLength={500}
        isRequired={number === undefined || number <= 2}
      />
      <Field
        id={`step-filter${suffix}`}
        name={`filter${suffix}`}
        label={goalTexts.fields.filter}
        maxLength={1000}
      />
    </div>
  );
}

export const newGoalForm = (site: string, isOpen: boolean): Html => (
  <Disclosure summary={goalTexts.create.open} kind="secondary" isOpen={isOpen}>
    <p class="hint" safe>
      {goalTexts.fields.hint}
    </p>
    <ConsoleForm
      action={`${goalsPath}/add`}
      values={{ site_id: site }}
      submit={{ label: goalTexts.create.button }}
    >
      {fieldsOf(CreateGoalBody, { idPrefix: 'goal', texts: goalTexts.create })('name')}
      {stepFields()}
    </ConsoleForm>
  </Disclosure>
);

function stepFieldSet(number: number): Html {
  const { step, optionalStep } = funnelTexts.create;
  return (
    <FieldSet legend={number > 2 ? optionalStep({ number }) : step({ number })}>
      {stepFields(number)}
    </FieldSet>
  );
}

export function newFunnelForm(site: string): Html {
  const words = funnelTexts.create;
  const field = fieldsOf(CreateFunnelBody, { idPrefix: 'funnel', texts: words });
  return (
    <Disclosure summary={words.open} kind="secondary">
      <p class="hint">
        {escapeHtml(goalTexts.fields.hint)} {escapeHtml(words.limit)}
      </p>
      <ConsoleForm
        action={`${goalsPath}/funnels/add`}
        values={{ site_id: site }}
        submit={{ label: words.button }}
      >
        <div class="field-row">
          {field('name')}
          {field('within')}
        </div>
        {[1, 2, 3, 4, 5].map(stepFieldSet)}
      </ConsoleForm>
    </Disclosure>
  );
}

interface Named {
  id: string;
  name: string;
}

/** Deletes a goal, or a funnel, whose name has to be typed. */
export function deleteForm(kind: 'goal' | 'funnel', site: string, { id, name }: Named): Html {
  const words = kind === 'goal' ? goalTexts.delete : funnelTexts.delete;
  return (
    <ConfirmForm
      id={`delete-${id}`}
      action={kind === 'goal' ? `${goalsPath}/delete` : `${goalsPath}/funnels/delete`}
      values={{ site_id: site, id, name }}
      open={words.open}
      word={name}
      warning={words.warning}
      submit={words.button}
    />
  );
}
