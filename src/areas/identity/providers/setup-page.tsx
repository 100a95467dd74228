import type { Page } from '../../../platform/ui/pages.tsx';
import { Field, Form } from '../../../platform/ui/components/form.tsx';
import { texts } from './texts/en.ts';

/** The form of the first-admin link, which posts to the page's own URL. */
export function setupPage(appName: string): Page {
  const { setup } = texts;
  return {
    title: setup.title({ app: appName }),
    body: (
      <>
        <p safe>{setup.text({ app: appName })}</p>
        <Form submit={{ label: setup.submit, size: 'large' }}>
          <Field
            id="email"
            type="email"
            label={setup.email}
            maxLength={254}
            isRequired
            attributes={{ autocomplete: 'email' }}
          />
        </Form>
      </>
    ),
  };
}
