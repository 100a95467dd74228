import type { Html } from '../../lib/text/html.ts';
import { Card } from '../../platform/ui/components/card.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { Form, SelectField } from '../../platform/ui/components/form.tsx';
import {
  badgeSamples,
  buttonSamples,
  feedbackSamples,
  figureSamples,
  navigationSamples,
} from './basic-samples.tsx';
import { exampleList, type ProjectList } from './example-list.tsx';
import { formSamples, overlaySamples, tableSamples } from './form-samples.tsx';
import { texts } from './texts/en.ts';

export const componentsPath = '/dev/components';

const samples = (list: ProjectList): readonly (readonly [keyof typeof texts.sections, Html])[] => [
  ['buttons', buttonSamples()],
  ['badges', badgeSamples()],
  ['stats', figureSamples()],
  ['navigation', navigationSamples()],
  ['feedback', feedbackSamples()],
  ['overlays', overlaySamples()],
  ['forms', formSamples(componentsPath)],
  ['tables', tableSamples()],
  ['exampleList', exampleList(list, componentsPath)],
];

const themeForm = (): Html => (
  <Form
    action="/theme"
    isInline
    values={{ return_to: componentsPath }}
    submit={{ label: texts.page.apply, kind: 'secondary' }}
  >
    <SelectField
      id="theme"
      label={texts.page.theme}
      options={[
        ['system', texts.page.system],
        ['light', texts.page.light],
        ['dark', texts.page.dark],
      ]}
    />
  </Form>
);

/** All components in their states. */
export const componentsPage = (list: ProjectList, stylePath: string): Page => ({
  title: texts.page.title,
  isWide: true,
  head: (
    <>
      <meta name="robots" content="noindex" />
      <link rel="stylesheet" href={stylePath} />
    </>
  ),
  body: (
    <>
      <p safe>{texts.page.lead}</p>
      {themeForm()}
      {samples(list).map(([id, content]) => (
        <Card id={id} title={texts.sections[id]}>
          {content}
        </Card>
      ))}
    </>
  ),
});
