import { readableHost } from '../../../lib/net/readable-url.ts';
import { escapeHtml } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { Field, Form } from '../../../platform/ui/components/form.tsx';
import type { Page } from '../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';

const words = texts.pages;
const head = <meta name="robots" content="noindex, nofollow" />;

/** Asks for the password of a code. `action` is the address of its short link. */
export const passwordPage = (action: string, isWrong: boolean): Page => ({
  title: words.password.title,
  isError: isWrong,
  head,
  body: (
    <>
      <p safe>{words.password.lead}</p>
      <Form action={action} submit={{ label: words.password.submit }}>
        <Field
          id="password"
          type="password"
          label={words.password.label}
          maxLength={256}
          isRequired
          error={isWrong ? words.password.wrong : undefined}
          attributes={{ autocomplete: 'off' }}
        />
      </Form>
    </>
  ),
});

/** Shown for a moment after the right password: a form must not lead to another site by itself. */
export const goOnPage = (url: string): Page => ({
  title: words.goOn.title,
  head,
  body: (
    <p>
      {rich(words.goOn.lead, {
        link: () => (
          <a href={url} rel="noreferrer">
            {escapeHtml(readableHost(new URL(url).host))}
          </a>
        ),
      })}
    </p>
  ),
});

/** What programs get that show a preview of a link. */
export const previewPage: Page = {
  title: words.preview.title,
  description: words.preview.lead,
  head,
  body: <p safe>{words.preview.lead}</p>,
};
