import { CreateFunnelBody } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import { CreateGoalBody } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { RenameBody } from '../../../../areas/analytics/goals/schemas.steps.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { FieldSet } from '../../../../platform/ui/components/form.tsx';
import { Menu } from '../../../../platform/ui/components/overlay.tsx';
import { Icon } from '../../../../platform/ui/icon.tsx';
import { ActionButton, ConsoleForm } from '../../components/console-form.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { texts } from '../texts/en.ts';
import { goalsPath } from './goals-path.ts';
import { type KnownStep, knownSteps, stepFields } from './step-fields.tsx';

const { goals: goalTexts } = texts;
const { funnels: funnelTexts } = goalTexts;

/** The page of a site's goals and funnels. */
const listOf = (site: string): string => withQuery(goalsPath, { site_id: site });

/** The form for a new goal. `known`: paths and events of the site. */
export const newGoalForm = (site: string, known: readonly KnownStep[]): Html => (
  <ConsoleForm
    action={`${goalsPath}/add`}
    values={{ site_id: site }}
    submit={{ label: goalTexts.create.button }}
    cancel={listOf(site)}
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
export function newFunnelForm(site: string, known: readonly KnownStep[]): Html {
  const words = funnelTexts.create;
  const field = fieldsOf(CreateFunnelBody, { idPrefix: 'funnel', texts: words });
  return (
    <ConsoleForm
      action={`${goalsPath}/funnels/add`}
      values={{ site_id: site }}
      submit={{ label: words.button }}
      cancel={listOf(site)}
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

export type Definition = 'goal' | 'funnel';

const partOf = (kind: Definition): string => (kind === 'goal' ? goalsPath : `${goalsPath}/funnels`);

/** What can be done with a goal or a funnel. Deletion is at once: its notice can bring it back. */
export function definitionMenu(kind: Definition, site: string, { id, name }: Named): Html {
  const words = goalTexts.menu;
  return (
    <Menu
      id={`menu-${id}`}
      label={words.label({ name })}
      isIconOnly
      items={[
        <a href={withQuery(`${partOf(kind)}/edit`, { site_id: site, id })} data-drawer>
          <Icon name="edit" />
          {escapeHtml(words.rename)}
        </a>,
        <ActionButton
          action={`${partOf(kind)}/delete`}
          values={{ site_id: site, id }}
          label={words.delete}
          icon="trash"
          kind="ghost"
        />,
      ]}
    />
  );
}

/** The form for another name of a goal or a funnel, whose steps stay. */
export const renameForm = (kind: Definition, site: string, { id, name }: Named): Html => (
  <ConsoleForm
    action={`${partOf(kind)}/rename`}
    values={{ site_id: site, id }}
    submit={{ label: goalTexts.rename.button }}
    cancel={listOf(site)}
  >
    {fieldsOf(RenameBody, {
      idPrefix: 'rename',
      texts: goalTexts.rename,
      entry: { name },
    })('name')}
  </ConsoleForm>
);
