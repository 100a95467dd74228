import { accountPath } from '../../../lib/site-paths.ts';
import { Form } from '../../../platform/ui/components/form.tsx';
import type { Page } from '../../../platform/ui/pages.tsx';
import { texts } from './texts/en.ts';

const words = texts.page;

/** Asks before canceling, because mail scanners follow links but press no buttons. */
export const cancelPage = (token: string): Page => ({
  title: words.title,
  body: (
    <>
      <p safe>{words.lead}</p>
      <Form
        action="/account/factor-reset"
        values={{ token }}
        submit={{ label: words.submit, size: 'large' }}
      />
    </>
  ),
});

/** The same for every token, so that it does not tell which ones exist. */
export const canceledPage: Page = {
  title: words.doneTitle,
  body: (
    <>
      <p safe>{words.done}</p>
      <p>
        <a href={accountPath} safe>
          {words.account}
        </a>
      </p>
    </>
  ),
};
