// Solves the challenge before the form is sent. Where that fails, as in browsers without Web
// Crypto, the form is sent without: the service takes a few of those too.
import { solveChallenge, type Challenge, type Solution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { texts } from './texts/en.ts';

/** Attempts at the same time. The browser computes each outside of the page's thread. */
const lanes = 4;
/** Attempts that are needed on average: one key in 256 is accepted. */
const expectedTries = 256;
const timeoutMs = 30_000;

/** Solves a challenge, and tells how many attempts there were so far. */
async function solve(challenge: Challenge, onTry: (tries: number) => void): Promise<Solution> {
  const controller = new AbortController();
  let tries = 0;
  const counted: typeof deriveKey = (...args) => {
    onTry((tries += 1));
    return deriveKey(...args);
  };
  const solutions = Array.from({ length: lanes }, async (_, lane) => {
    const options = { counterStart: lane, counterStep: lanes, timeout: timeoutMs };
    const found = await solveChallenge({ challenge, controller, deriveKey: counted, ...options });
    if (found === null) throw new Error('no solution');
    return found;
  });
  try {
    return await Promise.race(solutions);
  } finally {
    controller.abort();
    void Promise.allSettled(solutions);
  }
}

async function proofFrom(url: string, onTry: (tries: number) => void): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(String(response.status));
  const challenge = (await response.json()) as Challenge;
  const { counter, derivedKey } = await solve(challenge, onTry);
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
}

/** Never 100: nobody knows when the solution is found. */
const percentOf = (tries: number): number =>
  Math.round(100 * (1 - Math.exp(-(2 * tries) / expectedTries)) * 0.99);

function installProof(form: HTMLFormElement): void {
  const url = form.dataset.proof ?? '';
  const field = form.querySelector<HTMLInputElement>('[name=altcha]');
  const progress = form.querySelector<HTMLElement>('[data-progress]');
  const button = form.querySelector('button');
  let shown = -10;

  const say = (text: string) => {
    if (!progress) return;
    progress.hidden = false;
    progress.textContent = text;
  };
  const showTries = (tries: number) => {
    // In steps, because screen readers read each change out.
    const percent = percentOf(tries);
    if (percent < shown + 20) return;
    shown = percent;
    say(texts.checking({ percent }));
  };

  async function send(): Promise<void> {
    if (!field || !button || button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    shown = -20;
    field.value = await proofFrom(url, showTries).catch(() => '');
    say(texts.sending);
    form.submit();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  // Back from the next page: the solution is spent.
  addEventListener('pageshow', () => {
    if (field) field.value = '';
    if (button) button.ariaDisabled = null;
    if (progress) progress.hidden = true;
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-proof]'))
  installProof(form);
