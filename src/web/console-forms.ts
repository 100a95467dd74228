import type { Ask } from './console-proof.ts';

const failed = 'This did not work. Check the connection, then try again.';

/** Where an answer leads: a redirect that was followed, or one that is told to scripts. */
function placeOf(answer: Response): string | undefined {
  if (answer.redirected) return answer.url;
  return answer.headers.get('location') ?? undefined;
}

/** What an error page says. */
async function textOf(answer: Response): Promise<string> {
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector('main .error, main p')?.textContent ?? failed;
}

/** A page that was shown in answer to a form, and is at no address of its own. */
async function show(answer: Response, shown: (part: ParentNode) => void): Promise<void> {
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = page.querySelector('main');
  if (!main) {
    location.reload();
    return;
  }
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  shown(main);
  document.title = page.title;
  main.focus();
}

/**
 * Sends forms by script, so that they prove the device, and an error loses nothing that was typed.
 * `shown` is told of a page that comes in answer.
 */
export function sendForms(
  ask: Ask,
  say: (text: string, isError?: boolean) => void,
  shown: (part: ParentNode) => void,
): void {
  async function send(form: HTMLFormElement, sender: HTMLElement | null): Promise<void> {
    const data = new FormData(form);
    if (sender instanceof HTMLButtonElement && sender.name) data.append(sender.name, sender.value);
    const body = new URLSearchParams(
      [...data].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    );
    const answer = await ask(
      sender?.getAttribute('formaction') ?? form.getAttribute('action') ?? location.pathname,
      { method: 'POST', body },
    );
    const place = placeOf(answer);
    if (place !== undefined) {
      const next = new URL(place, location.href);
      if (next.pathname + next.search === location.pathname + location.search) location.reload();
      else location.assign(next);
    } else if (answer.ok) await show(answer, shown);
    else say(await textOf(answer), true);
  }

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-send')) return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    send(form, event.submitter)
      .catch(() => say(failed, true))
      .finally(() => {
        form.ariaBusy = null;
      });
  });
}
