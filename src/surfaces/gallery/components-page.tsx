import type { Html } from '../../lib/text/html.ts';
import { Card } from '../../platform/ui/components/card.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import {
  badgeSamples,
  buttonSamples,
  chartSamples,
  feedbackSamples,
  figureSamples,
  iconSamples,
  mapSamples,
  markSamples,
  navigationSamples,
} from './basic-samples.tsx';
import { choiceSamples } from './choice-samples.tsx';
import { exampleList, type ProjectList } from './example-list.tsx';
import { formSamples, overlaySamples, tableSamples } from './form-samples.tsx';
import { stepSamples } from './step-samples.tsx';
import { texts } from './texts/en.ts';

export const componentsPath = '/dev/components';

const samples = (list: ProjectList): readonly (readonly [keyof typeof texts.sections, Html])[] => [
  ['buttons', buttonSamples()],
  ['badges', badgeSamples()],
  ['stats', figureSamples()],
  ['charts', chartSamples()],
  ['navigation', navigationSamples()],
  ['feedback', feedbackSamples()],
  ['overlays', overlaySamples()],
  ['forms', formSamples(componentsPath)],
  ['choices', choiceSamples(componentsPath)],
  ['steps', stepSamples()],
  ['tables', tableSamples()],
  ['icons', iconSamples()],
  ['marks', markSamples()],
  ['map', mapSamples()],
  ['exampleList', exampleList(list, componentsPath)],
];

/** All components in their states. */
export const componentsPage = (list: ProjectList): Page => ({
  title: texts.page.title,
  isWide: true,
  styles: ['console.css'],
  head: <meta name="robots" content="noindex" />,
  body: (
    <>
      <p safe>{texts.page.lead}</p>
      {samples(list).map(([id, content]) => (
        <Card id={id} title={texts.sections[id]} hint={texts.hints[id]}>
          {content}
        </Card>
      ))}
    </>
  ),
});
