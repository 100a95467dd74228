import { knowsPasskeys, passkeyErrors, Refusal } from '../../page/passkey-support.ts';
import type { DeviceFetch } from '../device-proof.ts';
import { coverDrawer, drawerOf, type DrawerOptions, showDrawer } from './drawer.ts';
import { texts } from './texts/en.ts';

const confirmPath = '/api/svc/console/confirm';

/** How a user has answered. `unavailable`: only the sign-in page can ask. */
type Answer = 'confirmed' | 'cancelled' | 'unavailable';

export interface StepUp {
  /** Asks the user of a form, whose sign-in is too old, to confirm that it is them. */
  ask: (form: HTMLFormElement) => Promise<Answer>;
  /** Notes that the service has accepted a form that confirms. */
  accept: () => void;
}

/** Whether a redirect asks for a more recent sign-in, or for one with a second factor. */
export const asksForSignIn = ({ pathname, searchParams }: URL): boolean =>
  pathname === '/login' && ['fresh', 'second_factor'].includes(searchParams.get('reason') ?? '');

/** Whether a form is one that confirms. */
export const isConfirming = (form: HTMLFormElement): boolean => form.hasAttribute('data-confirm');

/**
 * Fills a form for a passkey with what the passkey signs. Returns what to say if that fails;
 * undefined for all other forms, too.
 */
export async function signWithPasskey(form: HTMLFormElement): Promise<string | undefined> {
  const options = form.dataset.assert;
  const input = form.querySelector<HTMLInputElement>('[name=credential]');
  if (options === undefined || !input) return undefined;
  try {
    if (!knowsPasskeys('parseRequestOptionsFromJSON')) throw new Refusal(texts.stepUp.noPasskeys);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
    );
    input.value = JSON.stringify(await navigator.credentials.get({ publicKey }));
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    const name = error instanceof Error ? error.name : '';
    return passkeyErrors[name] ?? texts.stepUp.failed;
  }
}

/** Creates what asks who is at the page, in the drawer of a form or in one of its own. */
export function createStepUp(
  deviceFetch: DeviceFetch,
  { enhance }: Pick<DrawerOptions, 'enhance'>,
): StepUp {
  let answer: ((given: Answer) => void) | undefined;

  function show(form: HTMLFormElement, page: Document): Promise<Answer> {
    return new Promise((resolve) => {
      const give = (given: Answer, close: () => void) => {
        answer = undefined;
        close();
        resolve(given);
      };
      const drawer = drawerOf(form);
      if (!drawer) {
        const own = showDrawer(confirmPath, page, {
          enhance,
          onClosed: () => give('cancelled', () => undefined),
        });
        answer = (given) => give(given, () => own?.remove());
        if (!own) resolve('unavailable');
        return;
      }
      const uncover = coverDrawer(drawer, page, { enhance });
      const cancel = (event: Event) => {
        event.preventDefault();
        answer?.('cancelled');
      };
      drawer.addEventListener('leave', cancel);
      answer = (given) =>
        give(given, () => {
          drawer.removeEventListener('leave', cancel);
          uncover();
        });
    });
  }

  return {
    async ask(form) {
      const response = await deviceFetch(confirmPath, { method: 'POST' });
      const isPage = response.ok && !response.redirected && response.status === 200;
      if (!isPage) return 'unavailable';
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      return show(form, page);
    },
    accept: () => answer?.('confirmed'),
  };
}
