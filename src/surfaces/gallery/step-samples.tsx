import type { Html } from '../../lib/text/html.ts';
import { ChoiceCards } from '../../platform/ui/components/choice-cards.tsx';
import { StatTabs } from '../../platform/ui/components/stat-tabs.tsx';
import { Stepper } from '../../platform/ui/components/stepper.tsx';

/** The steps of a task, what it starts with, and figures to choose from. */
export const stepSamples = (): Html => (
  <>
    <Stepper
      label="Add a tag"
      steps={[
        { text: 'Which chip?', href: '#steps' },
        { text: 'Where it leads' },
        { text: 'Write it' },
      ]}
      current={1}
    />
    <ChoiceCards
      choices={[
        {
          href: '#steps',
          icon: 'tag',
          title: 'Sticker',
          text: 'For tables, posters and shelves.',
          points: ['From €0.20', 'Written with a phone'],
          limits: ['Can be copied'],
        },
        {
          href: '#steps',
          icon: 'shield',
          title: 'Copy-proof',
          text: 'For certificates, products and doors.',
          points: ['Each tap is signed'],
          limits: ['Needs an encoder'],
        },
      ]}
    />
    <StatTabs
      label="Figures to choose from"
      tabs={[
        {
          label: 'Visitors',
          value: '5,058',
          trend: [3, 4, 3, 5, 6],
          href: '#steps',
          isCurrent: true,
        },
        {
          label: 'Visits',
          value: '6,029',
          trend: [4, 4, 5, 5, 7],
          href: '#steps',
          isCurrent: false,
        },
      ]}
    />
  </>
);
