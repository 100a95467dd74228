import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { withoutIndent } from '../../../lib/text/without-indent.ts';

/**
 * The script of the device pages. It creates a key that can't leave the browser and proves it
 * (RFC 9449). It sends the coarse browser properties in `traits`, without canvas or timing
 * fingerprints; the server stores only a keyed hash, and no decision depends on it.
 */
export const deviceScript = withoutIndent(`const utf8 = new TextEncoder();
const keyless = 'This browser does not give us its key. Start it anew, then load the page again.';
const failed = 'This did not work. Load the page again.';
const sentences = {
  NotAllowedError: 'This was cancelled, or took too long. Nothing was changed. Try again.',
  AbortError: 'This was cancelled. Nothing was changed. Try again.',
  'blackops.passkey_refused':
    'This passkey can not be used: it must live in this device alone and verify you.',
  'request.rate_limited': 'You have tried too often. Wait a few minutes, then try again.',
};
let key, nonce, ahead, wait, timer;

class Refusal extends Error {}

const find = (selector, from = document) => from.querySelector(selector);
const facts = () => find('#device').dataset;
const say = (sentence, from) => { find('[role=alert]', from).textContent = sentence; };
const settled = (work, done, failed) => new Promise((resolve, reject) => {
  work[done] = () => resolve(work.result);
  work[failed] = () => reject(work.error);
});

async function inStore(mode, act) {
  const opening = indexedDB.open('device', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  const database = await settled(opening, 'onsuccess', 'onerror');
  try {
    const transaction = database.transaction('keys', mode);
    const asked = act(transaction.objectStore('keys'));
    await settled(transaction, 'oncomplete', 'onabort');
    return asked.result;
  } finally {
    database.close();
  }
}

const readKey = () => inStore('readonly', (keys) => keys.get('own'));
const reading = readKey().catch(() => null);

async function makeKey() {
  if (facts().state === 'revoked') await inStore('readwrite', (keys) => keys.delete('own'));
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const made = await crypto.subtle.generateKey(algorithm, false, ['sign']);
  // One that is there already counts.
  await inStore('readwrite', (keys) => keys.add(made, 'own')).catch(() => undefined);
  return readKey();
}

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const json = (value) => utf8.encode(JSON.stringify(value));
const jsonBody = (value) => new Blob([json(value)], { type: 'application/json' });
const part = (value) => base64url(json(value));

async function proofOf({ publicKey, privateKey }, path) {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const claims = {
    jti: crypto.randomUUID(),
    htm: 'POST',
    htu: location.origin + path,
    iat: Math.floor((Date.now() + ahead) / 1000),
    nonce,
  };
  const signed = part(header) + '.' + part(claims);
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(algorithm, privateKey, utf8.encode(signed));
  return signed + '.' + base64url(signature);
}

async function post(path, body, isAgain) {
  const headers = key ? { dpop: await proofOf(key, path) } : {};
  const answer = await fetch(path, { method: 'POST', headers, body });
  nonce = answer.headers.get('dpop-nonce') ?? nonce;
  const asks = answer.headers.get('www-authenticate') ?? '';
  return asks.includes('use_dpop_nonce') && !isAgain ? post(path, body, true) : answer;
}

async function traits() {
  const { platform, language } = navigator;
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const { width: w, height: h } = screen;
  const told = {
    platform,
    language,
    timezone,
    screen: { w, h, dpr: devicePixelRatio },
    hardware_concurrency: navigator.hardwareConcurrency,
    device_memory: navigator.deviceMemory,
    touch: navigator.maxTouchPoints,
  };
  const hash = await crypto.subtle?.digest('SHA-256', json(told));
  const hex = (byte) => byte.toString(16).padStart(2, '0');
  return { ...told, fingerprint: [...new Uint8Array(hash ?? 1)].map(hex).join('') };
}

// Shows an answer, or goes where it leads.
async function show(answer) {
  const place = answer.redirected ? answer.url : answer.headers.get('location');
  if (place) return location.assign(place);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = find('main', page);
  const hadFocus = find('main').contains(document.activeElement);
  if (!find('#device', main)) main.append(find('#device'));
  find('main').replaceWith(main);
  document.title = page.title;
  find('h1').tabIndex = -1;
  if (hadFocus) (find('[aria-invalid]') ?? find('h1')).focus();
  begin();
}

function goOn(next, isAsked) {
  // What sends us back at once does so for ever, unless a person has to press a button in between.
  if (!isAsked && Date.now() - sessionStorage.wentOn < 10_000) return;
  sessionStorage.wentOn = Date.now();
  location.replace(next);
}

// Shows what has changed; with something to tell, whatever has.
async function look(told) {
  const answer = await post('/api/auth/blackops/status', jsonBody(await traits()));
  if (answer.status === 401)
    say('The proof of this browser was refused. Check its clock, then load the page again.');
  if (!answer.ok) return;
  const { state, device_id: id, requirements } = await answer.json();
  const shown = facts();
  if (shown.next && requirements.length === 0) goOn(shown.next, Boolean(told));
  if (!told && state === shown.state && (id ?? '') === shown.id) return;
  await show(await fetch(location.href));
  news.textContent = told ?? find('#device-state')?.textContent ?? '';
}

// While somebody has to decide.
function watch(after = wait) {
  clearTimeout(timer);
  if (document.hidden || facts().state !== 'pending') return;
  wait = Math.min(after * 1.2, 30_000);
  timer = setTimeout(() => look().catch(() => undefined).then(watch), wait);
}

async function send(form) {
  const { fingerprint } = form.elements;
  if (fingerprint) {
    fingerprint.value = (await traits()).fingerprint;
    key = await makeKey().catch(() => undefined);
  } else key ??= await reading;
  if (!key) return form.submit();
  await show(await post(form.getAttribute('action'), new URLSearchParams(new FormData(form))));
}

async function callPasskey(step, body) {
  const answer = await post('/api/auth/blackops/passkey' + step, jsonBody(body));
  const content = await answer.json();
  if (!answer.ok) throw new Refusal(sentences[content.code] ?? failed);
  return content;
}

// Proves the device by its passkey (WebAuthn level 3) and its key.
async function usePasskey({ dataset: { passkey: origin } }) {
  const api = globalThis.PublicKeyCredential;
  if (location.origin !== origin)
    throw new Refusal('Passkeys work only at ' + origin + '. Open this service there.');
  if (!api?.parseRequestOptionsFromJSON || !api.prototype.toJSON)
    throw new Refusal('This browser cannot use passkeys here. Use a newer one.');
  key ??= await readKey().catch(() => null);
  if (!key) throw new Refusal(keyless);
  const options = await callPasskey('/options', {});
  const publicKey = api.parseRequestOptionsFromJSON({ ...options, hints: ['client-device'] });
  await callPasskey('', await navigator.credentials.get({ publicKey }));
  await look('The passkey is accepted.');
}

function enhance(form, act) {
  const button = find('button', form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    say('', form);
    await act(form).catch((error) =>
      say(error instanceof Refusal ? error.message : sentences[error.name] ?? failed, form),
    );
    button.ariaDisabled = null;
  });
  form.hidden = false;
}

function begin() {
  nonce = facts().nonce;
  ahead = facts().now - Date.now();
  document.querySelectorAll('form[data-proof]').forEach((form) => enhance(form, send));
  document.querySelectorAll('form[data-passkey]').forEach((form) => enhance(form, usePasskey));
  watch(2500);
}

const news = document.createElement('p');
news.role = 'status';
news.className = 'spoken';
document.body.append(news);
document.addEventListener('visibilitychange', () => watch(2500));
begin();
key = await reading;
// Who has a key and proves none is taken for a copy.
if (key === null && facts().keyed) say(keyless);
else look().catch(() => undefined);
`);

/** Path of the script. It contains a hash of the content, so that browsers may cache it forever. */
export const deviceScriptPath = `/assets/devices.${sha256Hex(deviceScript).slice(0, 12)}.js`;
