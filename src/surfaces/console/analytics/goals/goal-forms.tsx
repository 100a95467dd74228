import { CreateFunnelBody } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import { CreateGoalBody } from '../../../../areas/analytics/goals/schemas.goals.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Field, FieldSet, SelectField } from '../../../../platform/ui/components/form.tsx';
import { ActionButton, ConsoleForm } from '../../components/console-form.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { texts } from '../texts/en.ts';
import { goalsPath } from './goals-path.ts';

const { goals: goalTexts } = texts;
const { funnels: funnelTexts } = goalTexts;

const kinds = [
  ['page', goalTexts.kinds.page],
  ['event', goalTexts.kinds.event],
] as const;

const suggestions = 'known-steps';

/** Paths and names of events that the site has, to choose from. */
const knownSteps = (values: readonly string[]): Html => (
  <datalist id={suggestions}>
    {values.map((value) => (
      <option value={value}></option>
    ))}
  </datalist>
);

/** Fields of a goal, or of a step of a funnel (with its number, from 1). */
function stepFields(number?: number): Html {
  const suffix = number ?? '';
  return (
    <div class="step-fields">
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
        attributes={{ list: suggestions }}
      />
      <Field
        id={`step-filter${suffix}`}
        name={`filter${suffix}`}
        label={goalTexts.fields.filter}
        maxLength={1000}
        attributes={{ placeholder: goalTexts.fields.filterPlaceholder }}
      />
    </div>
  );
}

/** The form for a new goal. `known`: paths and events of the site. */
export const newGoalForm = (site: string, known: readonly string[]): Html => (
  <ConsoleForm
    action={`${goalsPath}/add`}
    values={{ site_id: site }}
    submit={{ label: goalTexts.create.button }}
  >
    {fieldsOf(CreateGoalBody, { idPrefix: 'goal', texts: goalTexts.create })('name')}
    {stepFields()}
    <p class="hint" safe>
      {goalTexts.fields.hint}
    </p>
    {knownSteps(known)}
  </ConsoleForm>
);

function stepFieldSet(number: number): Html {
  const { step, optionalStep } = funnelTexts.create;
  return (
    <FieldSet legend={number > 2 ? optionalStep({ number }) : step({ number })}>
      {stepFields(number)}
    </FieldSet>
  );
}

/** The form for a new funnel. The script shows its steps one by one. */
export function newFunnelForm(site: string, known: readonly string[]): Html {
  const words = funnelTexts.create;
  const field = fieldsOf(CreateFunnelBody, { idPrefix: 'funnel', texts: words });
  return (
    <ConsoleForm
      action={`${goalsPath}/funnels/add`}
      values={{ site_id: site }}
      submit={{ label: words.button }}
    >
      {field('name')}
      {field('within')}
      <p class="hint" safe>
        {goalTexts.fields.hint}
      </p>
      <div data-one-by-one={words.addStep}>{[1, 2, 3, 4, 5, 6, 7, 8].map(stepFieldSet)}</div>
      {knownSteps(known)}
    </ConsoleForm>
  );
}

interface Named {
  id: string;
  name: string;
}

/** Deletes a goal or a funnel at once: the notice of it can bring it back. */
export const deleteButton = (kind: 'goal' | 'funnel', site: string, { id, name }: Named): Html => (
  <ActionButton
    action={kind === 'goal' ? `${goalsPath}/delete` : `${goalsPath}/funnels/delete`}
    values={{ site_id: site, id }}
    label={goalTexts.delete({ name })}
    icon="trash"
    isIconOnly
    kind="ghost"
  />
);
