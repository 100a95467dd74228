import { sha256Hex } from '../../lib/secrets.ts';

/**
 * The script of the pages of devices: makes the key of a browser, which never leaves it, and proves it (RFC 9449). Of the browser it
 * tells what is in `traits`: coarse, never drawn or measured, and nothing is decided by it. The server keeps a keyed hash of it.
 */
export const deviceScript = `const utf8 = new TextEncoder();
let key, nonce, ahead, wait, timer;

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

async function makeKey() {
  if (facts().state === 'revoked') await inStore('readwrite', (keys) => keys.delete('own'));
  const made = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  // One that is there already counts.
  await inStore('readwrite', (keys) => keys.add(made, 'own')).catch(() => undefined);
  return readKey();
}

const base64url = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const json = (value) => utf8.encode(JSON.stringify(value));
const part = (value) => base64url(json(value));

async function proofOf({ publicKey, privateKey }, path) {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const claims = { jti: crypto.randomUUID(), htm: 'POST', htu: location.origin + path, iat: Math.floor((Date.now() + ahead) / 1000), nonce };
  const signed = part({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }) + '.' + part(claims);
  return signed + '.' + base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8.encode(signed)));
}

async function post(path, body, isAgain) {
  const headers = key ? { dpop: await proofOf(key, path) } : {};
  const answer = await fetch(path, { method: 'POST', headers, body });
  nonce = answer.headers.get('dpop-nonce') ?? nonce;
  const asks = answer.headers.get('www-authenticate') ?? '';
  return asks.includes('use_dpop_nonce') && !isAgain ? post(path, body, true) : answer;
}

async function traits() {
  const { platform, language, hardwareConcurrency, deviceMemory, maxTouchPoints: touch } = navigator;
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const { width: w, height: h } = screen;
  const told = { platform, language, timezone, screen: { w, h, dpr: devicePixelRatio }, hardware_concurrency: hardwareConcurrency, device_memory: deviceMemory, touch };
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

function goOn(next) {
  // What sends us back at once does so for ever.
  if (Date.now() - sessionStorage.wentOn < 10_000) return;
  sessionStorage.wentOn = Date.now();
  location.replace(next);
}

async function look() {
  const answer = await post('/api/auth/blackops/status', new Blob([json(await traits())], { type: 'application/json' }));
  if (answer.status === 401) say('The proof of this browser was refused. Check its clock, then load the page again.');
  if (!answer.ok) return;
  const { state, device_id: id, requirements } = await answer.json();
  const shown = facts();
  if (shown.next && requirements.length === 0) goOn(shown.next);
  if (state === shown.state && (id ?? '') === shown.id) return;
  await show(await fetch(location.href));
  news.textContent = find('#device-state')?.textContent ?? '';
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
  }
  if (!key) return form.submit();
  await show(await post(form.getAttribute('action'), new URLSearchParams(new FormData(form))));
}

function enhance(form) {
  const button = find('button', form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    await send(form).catch(() => say('This did not work. Load the page again.', form));
    button.ariaDisabled = null;
  });
}

function begin() {
  nonce = facts().nonce;
  ahead = facts().now - Date.now();
  document.querySelectorAll('form[data-proof]').forEach(enhance);
  watch(2500);
}

const news = document.createElement('p');
news.role = 'status';
news.className = 'spoken';
document.body.append(news);
document.addEventListener('visibilitychange', () => watch(2500));
begin();
key = await readKey().catch(() => null);
// Who has a key and proves none is taken for a copy.
if (key === null && facts().keyed) say('This browser does not give us its key. Start it anew, then load the page again.');
else look().catch(() => undefined);
`;

/** Where the script is. Its content is part of the address, so that browsers may keep it. */
export const deviceScriptPath = `/assets/devices.${sha256Hex(deviceScript).slice(0, 12)}.js`;
