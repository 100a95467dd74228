import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { Fact } from '../../../../platform/ui/components/table.tsx';
import { FormAbout, TitledFacts, TitledPoints } from '../../components/form-about.tsx';
import { count, percent } from '../../components/number-format.ts';
import { texts } from '../texts/en.ts';
import type { KnownStep } from './step-fields.tsx';
import { stepText } from './step-text.ts';

const { goals: words } = texts;
const { about } = words;

/** As many of the most frequent steps as help to choose one. */
const shownSteps = 6;

/** What is counted, and the most frequent pages and events to choose from. */
export const aboutNew = (kind: 'goal' | 'funnel', known: readonly KnownStep[]): Html => (
  <>
    <TitledPoints title={about.new[kind].title} items={about.new[kind].points} />
    {known.length > 0 && (
      <TitledFacts
        title={about.known}
        facts={known
          .toSorted((a, b) => b.times - a.times)
          .slice(0, shownSteps)
          .map(({ value, times }) => ({ name: value, value: escapeHtml(count(times)) }))}
      />
    )}
  </>
);

const conversionFact = (rate: number | null): Fact => ({
  name: words.columns.conversion,
  value: escapeHtml(percent(rate)),
});

/** The goal that is renamed, with its figures of the last 30 days. */
export const aboutGoal = (goal: GoalReport['data'][number]): Html => (
  <>
    <FormAbout title={goal.name} detail={stepText(goal)} />
    <TitledFacts
      title={about.recent}
      facts={[
        { name: words.columns.visits, value: escapeHtml(count(goal.visits)) },
        conversionFact(goal.conversion_rate),
      ]}
    />
    <TitledPoints title={about.rename.title} items={about.rename.goal} />
  </>
);

/** The funnel that is renamed, with its steps and their figures of the last 30 days. */
export const aboutFunnel = ({ name, steps, conversion_rate: rate }: FunnelReport): Html => (
  <>
    <FormAbout title={name} detail={about.steps({ steps: steps.length })} />
    <TitledFacts
      title={about.recent}
      facts={[
        ...steps.map((step, at) => ({
          name: words.funnels.numberedStep({ number: at + 1, name: step.name }),
          value: escapeHtml(count(step.entered)),
        })),
        conversionFact(rate),
      ]}
    />
    <TitledPoints title={about.rename.title} items={about.rename.funnel} />
  </>
);
