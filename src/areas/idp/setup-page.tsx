import { escapeHtml } from '../../lib/text/html.ts';
import type { Page } from '../../platform/ui/pages.tsx';

/** The form of the first-admin link, which posts to the page's own URL. */
export function setupPage(appName: string): Page {
  return {
    title: `First admin of ${appName}`,
    body: (
      <>
        <p>
          {escapeHtml(appName)} has no admin yet. You become the first one. This link works once.
        </p>
        <form method="post">
          <p>
            <label for="email">Your e-mail address</label>{' '}
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
            <button type="submit">Become admin</button>
          </p>
        </form>
      </>
    ),
  };
}
