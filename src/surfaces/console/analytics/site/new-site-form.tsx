import type { Html } from '../../../../lib/text/html.ts';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { Stepper } from '../../../../platform/ui/components/stepper.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { texts } from '../texts/en.ts';
import { analyticsPath } from '../view-params.ts';
import { sitePath } from './site-path.ts';
import { timeZones, timeZonesId } from './time-zones.tsx';

const { add: words } = texts.site;

/** What a site needs until its first event. */
const steps = (
  <Stepper
    label={words.steps.label}
    steps={words.steps.all.map((text) => ({ text }))}
    current={0}
  />
);

/** The form that adds a site. The script offers the time zone of the browser. */
export const newSiteForm = (): Html => (
  <ConsoleForm
    action={`${sitePath}/register`}
    submit={{ label: words.button }}
    cancel={analyticsPath}
  >
    {steps}
    <Field
      id="new-site"
      name="name"
      label={words.name}
      hint={words.nameHint}
      maxLength={64}
      isRequired
      attributes={{ placeholder: words.namePlaceholder, inputmode: 'url' }}
    />
    <Field
      id="new-timezone"
      name="timezone"
      label={words.timezone}
      hint={words.timezoneHint}
      maxLength={64}
      attributes={{
        placeholder: words.timezonePlaceholder,
        'data-own-zone': 'fill',
        list: timeZonesId,
      }}
    />
    {timeZones()}
  </ConsoleForm>
);
