import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import { BarList } from '../../../../platform/ui/components/table.tsx';
import { count, duration, percent } from '../../components/number-format.ts';
import { texts } from '../texts/en.ts';

const { funnels: words } = texts.goals;

/** How many went through a funnel, and what has to hold for them. */
export function funnelHint({ within, conversion_rate: rate }: FunnelReport): string {
  const conversion = { rate: percent(rate) };
  return within === 'visit'
    ? words.conversionVisit(conversion)
    : words.conversionVisitor(conversion);
}

/** The steps of a funnel, with a bar for those who reached each. */
export const funnelSteps = ({ name, within, steps }: FunnelReport): Html => (
  <BarList
    caption={words.caption({ name })}
    columns={[
      words.step,
      within === 'visit' ? words.visits : words.visitors,
      words.fromFirst,
      words.fromPrevious,
      words.dropped,
      words.medianTime,
    ]}
    minor={[words.fromPrevious, words.dropped, words.medianTime]}
    bars={steps.map((step, at) => ({
      text: words.numberedStep({ number: at + 1, name: step.name }),
      value: step.entered,
      cells: [
        escapeHtml(count(step.entered)),
        escapeHtml(percent(step.of_first)),
        escapeHtml(at === 0 ? '–' : percent(step.of_previous)),
        escapeHtml(at === 0 ? '–' : count(step.dropped)),
        escapeHtml(duration(step.median_seconds)),
      ],
    }))}
  />
);
