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

const back = (
  <p>
    <a href="/status" safe>
      {texts.page.back}
    </a>
  </p>
);

/** The form again, with its error. */
export const subscribeAgainPage = (state: Required<FormState>): Page => ({
  title: words.title,
  isError: true,
  body: (
    <>
      {subscribeForm(state)}
      {back}
    </>
  ),
});

/** The same for every address, so that it does not reveal subscribers. */
export const checkMailboxPage: Page = {
  title: words.sent.title,
  body: (
    <>
      <p safe>{words.sent.lead}</p>
      <p safe>{words.sent.hint}</p>
      {back}
    </>
  ),
};

const tokenForm = (action: string, token: string, label: string): Html => (
  <Form action={action} values={{ token }} submit={{ label }} />
);

/** A button instead of a plain link: mail scanners follow links but submit no forms. */
export const confirmPage = (token: string): Page => ({
  title: words.confirm.title,
  body: (
    <>
      <p safe>{words.confirm.lead}</p>
      {tokenForm('/status/confirm', token, words.confirm.button)}
      {back}
    </>
  ),
});

export const unsubscribePage = (token: string): Page => ({
  title: words.unsubscribe.title,
  body: (
    <>
      <p safe>{words.unsubscribe.lead}</p>
      {tokenForm('/status/unsubscribe', token, words.unsubscribe.button)}
      {back}
    </>
  ),
});

export const confirmedPage: Page = {
  title: words.confirmed.title,
  body: (
    <>
      <p safe>{words.confirmed.lead}</p>
      {back}
    </>
  ),
};

export const unsubscribedPage: Page = {
  title: words.unsubscribed.title,
  body: (
    <>
      <p safe>{words.unsubscribed.lead}</p>
      {back}
    </>
  ),
};
