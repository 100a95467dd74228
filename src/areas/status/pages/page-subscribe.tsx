import { type Html } from '../../../lib/text/html.ts';
import { Field, Form } from '../../../platform/ui/components/form.tsx';
import type { Page } from '../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';

const words = texts.subscribe;

interface FormState {
  value?: string;
  error?: string;
}

/** The form for an email address, with a hidden field as a trap for bots. */
export function subscribeForm({ value = '', error }: FormState = {}): Html {
  return (
    <Form action="/status/subscribe" submit={{ label: words.button, icon: 'mail' }} isInline>
      <Field
        id="email"
        label={words.email}
        type="email"
        value={value}
        error={error}
        maxLength={254}
        isRequired
        attributes={{ autocomplete: 'email' }}
      />
      <div class="trap" hidden aria-hidden="true">
        <label for="website" safe>
          {words.trap}
        </label>{' '}
        <input id="website" name="website" tabindex="-1" autocomplete="off" />
      </div>
    </Form>
  );
}

/** The way back to the status, above the heading of a page. */
export const back: Html = (
  <p class="back">
    <a href="/status" safe>
      {texts.page.back}
    </a>
  </p>
);

/** A page about updates by email: what it says, in a card on the grid of the status pages. */
const updatesPage = ({
  title,
  body,
  isError = false,
}: Pick<Page, 'title' | 'body' | 'isError'>): Page => ({
  title,
  isError,
  isWide: true,
  styles: ['status.css'],
  heading: (
    <>
      {back}
      <h1 safe>{title}</h1>
    </>
  ),
  body: <section class="updates">{body}</section>,
});

/** The form on a page of its own, for links to it. */
export const subscribePage: Page = updatesPage({
  title: words.title,
  body: (
    <>
      <p safe>{words.lead}</p>
      {subscribeForm()}
      <p class="hint" safe>
        {words.next}
      </p>
    </>
  ),
});

/** The form again, with its error. */
export const subscribeAgainPage = (state: Required<FormState>): Page =>
  updatesPage({ title: words.title, isError: true, body: subscribeForm(state) });

/** The same for every address, so that it does not reveal subscribers. */
export const checkMailboxPage: Page = updatesPage({
  title: words.sent.title,
  body: (
    <>
      <p safe>{words.sent.lead}</p>
      <p safe>{words.sent.hint}</p>
    </>
  ),
});

const tokenForm = (action: string, token: string, label: string): Html => (
  <Form action={action} values={{ token }} submit={{ label }} />
);

/** A button instead of a plain link: mail scanners follow links but submit no forms. */
export const confirmPage = (token: string): Page =>
  updatesPage({
    title: words.confirm.title,
    body: (
      <>
        <p safe>{words.confirm.lead}</p>
        {tokenForm('/status/confirm', token, words.confirm.button)}
      </>
    ),
  });

export const unsubscribePage = (token: string): Page =>
  updatesPage({
    title: words.unsubscribe.title,
    body: (
      <>
        <p safe>{words.unsubscribe.lead}</p>
        {tokenForm('/status/unsubscribe', token, words.unsubscribe.button)}
      </>
    ),
  });

export const confirmedPage: Page = updatesPage({
  title: words.confirmed.title,
  body: <p safe>{words.confirmed.lead}</p>,
});

export const unsubscribedPage: Page = updatesPage({
  title: words.unsubscribed.title,
  body: <p safe>{words.unsubscribed.lead}</p>,
});
