// The device pages: creates a key that can't leave the browser, and proves it (RFC 9449).
import { installForm } from '../page/busy-form.ts';
import {
  type DeviceKey,
  jsonBytes,
  proofClaims,
  signProof,
  wantsNonce,
} from '../page/device-key.ts';
import { element } from '../page/elements.ts';
import { localizeTimes } from '../page/local-times.ts';
import { knowsPasskeys, passkeyErrors, Refusal, requireOrigin } from '../page/passkey-support.ts';
import { makeKey, readKey } from './key-store.ts';
import { texts } from './texts/en.ts';
import { readTraits } from './traits.ts';

interface DeviceStatus {
  state: string;
  device_id: string | null;
  requirements: unknown[];
}

const firstWaitMs = 2500;
const maxWaitMs = 30_000;
const apiPath = '/api/auth/blackops/';
const sentences: Partial<Record<string, string>> = {
  ...passkeyErrors,
  'blackops.passkey_refused': texts.passkey.refused,
  'request.rate_limited': texts.rateLimited,
};

/** What proofs are made from. It changes with the page that is shown. */
const proof: { key?: DeviceKey | undefined; nonce: string | undefined; clockOffset: number } = {
  nonce: undefined,
  clockOffset: 0,
};
const waiting: { ms: number; timer?: ReturnType<typeof setTimeout> } = { ms: firstWaitMs };

const find = (selector: string, from: ParentNode = document) =>
  from.querySelector<HTMLElement>(selector);
const facts = (): DOMStringMap => find('#device')?.dataset ?? {};
const news = element('p', { role: 'status', class: 'visually-hidden' });

/** Null when the browser refuses its store: that does not prove that there is no key. */
const reading: Promise<DeviceKey | null | undefined> = readKey().catch(() => null);

function say(sentence: string, from?: ParentNode): void {
  const alert = find('[role=alert]', from);
  if (alert) alert.textContent = sentence;
}

const jsonBody = (value: object) => new Blob([jsonBytes(value)], { type: 'application/json' });

async function post(path: string, body: BodyInit): Promise<Response> {
  const send = async () => {
    const claims = () => proofClaims('POST', location.origin + path, proof);
    const headers: Record<string, string> = proof.key
      ? { dpop: await signProof(proof.key, claims()) }
      : {};
    const response = await fetch(path, { method: 'POST', headers, body });
    proof.nonce = response.headers.get('dpop-nonce') ?? proof.nonce;
    return response;
  };
  const response = await send();
  return wantsNonce(response) ? send() : response;
}

/** Shows a response, or goes where it leads. */
async function show(response: Response): Promise<void> {
  const target = response.redirected ? response.url : response.headers.get('location');
  if (target) {
    location.assign(target);
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const [before, main, device] = [find('main'), find('main', page), find('#device')];
  if (!before || !main) return;
  const hadFocus = before.contains(document.activeElement);
  if (device && !find('#device', main)) main.append(device);
  before.replaceWith(main);
  document.title = page.title;
  const heading = find('h1');
  if (heading) heading.tabIndex = -1;
  if (hadFocus) (find('[aria-invalid]') ?? heading)?.focus();
  begin();
}

/** Goes to `next`, at most once in ten seconds unless asked: a page may redirect back at once. */
function continueTo(next: string, isAsked: boolean): void {
  if (!isAsked && Date.now() - Number(sessionStorage.getItem('wentOn')) < 10_000) return;
  sessionStorage.setItem('wentOn', String(Date.now()));
  location.replace(next);
}

/** Shows what has changed, and always when there is something to tell. */
async function look(told?: string): Promise<void> {
  const response = await post(`${apiPath}status`, jsonBody(await readTraits()));
  if (response.status === 401) say(texts.proofRefused);
  if (!response.ok) return;
  const { state, device_id: id, requirements } = (await response.json()) as DeviceStatus;
  const shown = facts();
  if (shown.next && requirements.length === 0) continueTo(shown.next, Boolean(told));
  if (!told && state === shown.state && (id ?? '') === shown.id) return;
  await show(await fetch(location.href));
  news.textContent = told ?? find('#device-state')?.textContent ?? '';
}

/** Looks again and again while someone has to decide. */
function watch(after = waiting.ms): void {
  clearTimeout(waiting.timer);
  if (document.hidden || facts().state !== 'pending') return;
  waiting.ms = Math.min(after * 1.2, maxWaitMs);
  waiting.timer = setTimeout(
    () =>
      void look()
        .catch(() => undefined)
        .then(() => watch()),
    waiting.ms,
  );
}

async function sendForm(form: HTMLFormElement): Promise<void> {
  const fingerprint = form.querySelector<HTMLInputElement>('[name=fingerprint]');
  if (fingerprint) {
    fingerprint.value = (await readTraits()).fingerprint;
    proof.key = await makeKey({ isReplaced: facts().state === 'revoked' }).catch(() => undefined);
  } else proof.key ??= (await reading) ?? undefined;
  if (!proof.key) {
    form.submit();
    return;
  }
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  await show(await post(form.getAttribute('action') ?? '', new URLSearchParams(fields)));
}

async function callPasskey<Answer>(step: string, body: object): Promise<Answer> {
  const response = await post(`${apiPath}passkey${step}`, jsonBody(body));
  if (response.ok) return (await response.json()) as Answer;
  const { code } = (await response.json()) as { code: string };
  throw new Refusal(sentences[code] ?? texts.failed);
}

/** Proves the device by its passkey (WebAuthn Level 3) and its key. */
async function usePasskey({ dataset }: HTMLFormElement): Promise<void> {
  requireOrigin(dataset.passkey);
  if (!knowsPasskeys('parseRequestOptionsFromJSON')) throw new Refusal(texts.passkey.unsupported);
  proof.key ??= await readKey().catch(() => undefined);
  if (!proof.key) throw new Refusal(texts.noKey);
  const options = await callPasskey<PublicKeyCredentialRequestOptionsJSON>('/options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    ...options,
    hints: ['client-device'],
  });
  const credential = await navigator.credentials.get({ publicKey });
  await callPasskey('', credential ?? {});
  await look(texts.passkey.accepted);
}

function enhance(form: HTMLFormElement, act: (form: HTMLFormElement) => Promise<void>): void {
  installForm(form, async () => {
    say('', form);
    await act(form).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : '';
      say(error instanceof Refusal ? error.message : (sentences[name] ?? texts.failed), form);
    });
  });
}

function begin(): void {
  const { nonce, now } = facts();
  localizeTimes(document);
  proof.nonce = nonce;
  proof.clockOffset = Number(now) - Date.now();
  const forms = (selector: string) => document.querySelectorAll<HTMLFormElement>(selector);
  for (const form of forms('form[data-proof]')) enhance(form, sendForm);
  for (const form of forms('form[data-passkey]')) enhance(form, usePasskey);
  watch(firstWaitMs);
}

async function start(): Promise<void> {
  document.body.append(news);
  document.addEventListener('visibilitychange', () => watch(firstWaitMs));
  begin();
  const stored = await reading;
  proof.key = stored ?? undefined;
  // A device that has a key and proves none is taken for a copy.
  if (stored === null && facts().keyed) say(texts.noKey);
  else await look();
}

start().catch(() => undefined);
