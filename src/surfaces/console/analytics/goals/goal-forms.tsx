import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Field, FieldSet, SelectField } from '../../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { ConfirmForm, ConsoleForm } from '../../components/console-form.tsx';
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
      <Field id="goal-name" name="name" label={goalTexts.create.name} maxLength={100} isRequired />
      {stepFields()}
    </ConsoleForm>
  </Disclosure>
);

interface Named {
  id: string;
  name: string;
}

export const deleteGoalForm = (site: string, { id, name }: Named): Html => (
  <ConfirmForm
    id={`delete-${id}`}
    action={`${goalsPath}/delete`}
    values={{ site_id: site, id, name }}
    open={goalTexts.delete.open}
    word={name}
    warning={goalTexts.delete.warning}
    submit={goalTexts.delete.button}
  />
);

function stepFieldSet(number: number): Html {
  const { step, optionalStep } = funnelTexts.create;
  return (
    <FieldSet legend={number > 2 ? optionalStep({ number }) : step({ number })}>
      {stepFields(number)}
    </FieldSet>
  );
}

export const newFunnelForm = (site: string): Html => (
  <Disclosure summary={funnelTexts.create.open} kind="secondary">
    <p class="hint">
      {escapeHtml(goalTexts.fields.hint)} {escapeHtml(funnelTexts.create.limit)}
    </p>
    <ConsoleForm
      action={`${goalsPath}/funnels/add`}
      values={{ site_id: site }}
      submit={{ label: funnelTexts.create.button }}
    >
      <div class="field-row">
        <Field
          id="funnel-name"
          name="name"
          label={funnelTexts.create.name}
          maxLength={100}
          isRequired
        />
        <SelectField
          id="within"
          label={funnelTexts.create.within}
          options={[
            ['visit', funnelTexts.create.visit],
            ['visitor', funnelTexts.create.visitor],
          ]}
        />
      </div>
      {[1, 2, 3, 4, 5].map(stepFieldSet)}
    </ConsoleForm>
  </Disclosure>
);

export const deleteFunnelForm = (site: string, { id, name }: Named): Html => (
  <ConfirmForm
    id={`delete-${id}`}
    action={`${goalsPath}/funnels/delete`}
    values={{ site_id: site, id, name }}
    open={funnelTexts.delete.open}
    word={name}
    warning={funnelTexts.delete.warning}
    submit={funnelTexts.delete.button}
  />
);
