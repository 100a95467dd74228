import type { Page } from '../../platform/ui/pages.tsx';
import { texts } from './texts/en.ts';

/** The form of the first-admin link, which posts to the page's own URL. */
export function setupPage(appName: string): Page {
  const { setup } = texts;
  return {
    title: setup.title({ app: appName }),
    body: (
      <>
        <p safe>{setup.text({ app: appName })}</p>
        <form method="post">
          <p>
            <label for="email" safe>
              {setup.email}
            </label>{' '}
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="email"
              maxlength="254"
              required
            />
          </p>
          <p>
            <button type="submit" safe>
              {setup.submit}
            </button>
          </p>
        </form>
      </>
    ),
  };
}
