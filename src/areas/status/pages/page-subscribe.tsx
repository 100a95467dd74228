import { type Html } from '../../../lib/text/html.ts';
import type { Page } from '../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';

const words = texts.subscribe;

interface FormState {
  value?: string;
  error?: string;
}

/** The form for an e-mail address, with a hidden field as a trap for bots. */
export function subscribeForm({ value = '', error }: FormState = {}): Html {
  const message =
    error === undefined ? undefined : (
      <p class="error" id="email-error" safe>
        {error}
      </p>
    );
  const described =
    error === undefined ? undefined : { 'aria-describedby': 'email-error', 'aria-invalid': 'true' };
  return (
    <form class="row" method="post" action="/status/subscribe">
      <div>
        <label for="email" safe>
          {words.email}
        </label>
        {message}
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          maxlength="254"
          required
          value={value}
          {...described}
        />
      </div>
      <div class="trap" aria-hidden="true">
        <label for="website" safe>
          {words.trap}
        </label>{' '}
        <input id="website" name="website" tabindex="-1" autocomplete="off" />
      </div>
      <button safe>{words.button}</button>
    </form>
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

function tokenForm(action: string, token: string, button: string): Html {
  const hidden = <input type="hidden" name="token" value={token} />;
  return (
    <form method="post" action={action}>
      {hidden}
      <button safe>{button}</button>
    </form>
  );
}

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
