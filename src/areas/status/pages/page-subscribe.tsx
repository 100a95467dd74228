import { type Html } from '../../../lib/text/html.ts';
import type { Page } from '../../../platform/ui/pages.tsx';

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
        <label for="email">E-mail address</label>
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
        <label for="website">Leave this empty</label>{' '}
        <input id="website" name="website" tabindex="-1" autocomplete="off" />
      </div>
      <button>Subscribe by e-mail</button>
    </form>
  );
}

const back = (
  <p>
    <a href="/status">Back to the status</a>
  </p>
);

/** The form again, with its error. */
export const subscribeAgainPage = (state: Required<FormState>): Page => ({
  title: 'Get updates',
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
  title: 'Look into your mailbox',
  body: (
    <>
      <p>
        If this address is not subscribed yet, a message is on its way to it. Follow the link in it
        within 24 hours; only then updates are sent.
      </p>
      <p>
        Nothing there after a few minutes? Look into the folder for spam, or ask again in ten
        minutes.
      </p>
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
  title: 'Confirm your subscription',
  body: (
    <>
      <p>Send updates about incidents and maintenance to this address?</p>
      {tokenForm('/status/confirm', token, 'Yes, subscribe')}
      {back}
    </>
  ),
});

export const unsubscribePage = (token: string): Page => ({
  title: 'Unsubscribe',
  body: (
    <>
      <p>Send no more updates to this address, and forget it?</p>
      {tokenForm('/status/unsubscribe', token, 'Unsubscribe')}
      {back}
    </>
  ),
});

export const confirmedPage: Page = {
  title: 'You are subscribed',
  body: (
    <>
      <p>
        You will hear of incidents and maintenance by e-mail. Each message says how to end this.
      </p>
      {back}
    </>
  ),
};

export const unsubscribedPage: Page = {
  title: 'You are unsubscribed',
  body: (
    <>
      <p>No more updates are sent to this address, and it is deleted.</p>
      {back}
    </>
  ),
};
