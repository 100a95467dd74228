import type { Html } from '../../../../lib/text/html.ts';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { texts } from '../texts/en.ts';
import { analyticsPath } from '../view-params.ts';
import { sitePath } from './site-path.ts';

const { add: words } = texts.site;

/** The form that adds a site. */
export const newSiteForm = (): Html => (
  <ConsoleForm
    action={`${sitePath}/register`}
    submit={{ label: words.button }}
    cancel={analyticsPath}
  >
    <Field
      id="new-site"
      name="name"
      label={words.name}
      hint={words.nameHint}
      maxLength={64}
      isRequired
      attributes={{ placeholder: words.namePlaceholder }}
    />
  </ConsoleForm>
);
