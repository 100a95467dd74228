import { readableHost } from '../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import type { Problem } from '../../../platform/errors/errors.ts';
import { formatLongDate, formatLongDateTime } from '../../../platform/i18n/dates.ts';
import { Field, Form } from '../../../platform/ui/components/form.tsx';
import type { Page } from '../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';

const words = texts.pages;

/** Asks for the password of a code. `action` is the address of its short link. */
export const passwordPage = (action: string, isWrong: boolean): Page => ({
  title: words.password.title,
  isError: isWrong,
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
export const continuePage = (url: string): Page => ({
  title: words.continue.title,
  body: (
    <p>
      {rich(words.continue.lead, {
        link: () => (
          <a href={url} rel="noreferrer">
            {escapeHtml(readableHost(new URL(url).host))}
          </a>
        ),
      })}
    </p>
  ),
});

/** The day alone where a code starts with it. */
const startText = (start: string): string =>
  (start.includes('T00:00:00') ? formatLongDate : formatLongDateTime)(start);

/** When a code starts to work; undefined if the problem does not say. */
export const notYetSentence = ({ starts_at: startsAt }: Problem): Html | undefined =>
  typeof startsAt === 'string'
    ? escapeHtml(words.notYet({ start: startText(startsAt) }))
    : undefined;

/** What programs get that show a preview of a link. */
export const previewPage: Page = {
  title: words.preview.title,
  description: words.preview.lead,
  body: <p safe>{words.preview.lead}</p>,
};
