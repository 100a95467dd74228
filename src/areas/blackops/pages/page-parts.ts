import { html, type Html } from '../../../lib/text/html.ts';
import type { Binding } from '../states.ts';

const names: Readonly<Record<string, string>> = {
  macos: 'macOS',
  ios: 'iOS',
  'chrome os': 'Chrome OS',
  uc: 'UC',
  qq: 'QQ',
};
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

const capitalised = (text: string): string =>
  text.replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
const nameOf = (family: string): string => names[family] ?? capitalised(family);

/** Browser and system in words, from their families: `Chrome on macOS`. */
export function programOf({ browser, os }: { browser: string | null; os: string | null }): string {
  if (browser === null && os === null) return 'Unknown browser';
  if (browser === null || os === null) return nameOf(browser ?? os ?? '');
  return `${nameOf(browser)} on ${nameOf(os)}`;
}

/** The name of a country, from its ISO 3166-1 code: `Germany`. */
export const countryOf = (code: string | null): string =>
  code === null || !/^[A-Z]{2}$/.test(code) ? 'unknown' : (regions.of(code) ?? code);

/** How a device is bound, to be said after "bound by". */
export const bindingTexts: Readonly<Record<Binding, string>> = {
  fingerprint: 'nothing that it could prove',
  cookie: 'a secret in a cookie',
  key: 'a key that can not leave the browser',
  webauthn: 'a key and a passkey that can not leave the device',
};

/** A time that machines can read too. */
export function time(at: Date | string): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Names and what belongs to them. */
export const facts = (all: readonly (readonly [name: string, value: Html | string])[]): Html =>
  html`<dl>
${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;

export const notice = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="notice" role="status">${text}</p>`;

/** Where the script writes what went wrong. */
export const alert: Html = html`<p class="error" role="alert"></p>`;

/** Says which element describes this one. */
export const describedBy = (id: string | undefined): Html | undefined =>
  id === undefined ? undefined : html` aria-describedby="${id}"`;

export interface FormParts {
  action: string;
  /** Values that it carries; `undefined` is left out. */
  values?: Readonly<Record<string, string | undefined>>;
  button: string;
  /** Id of what the button is about. */
  about?: string;
  /** Labelled inputs. */
  inputs?: Html;
  /** The script adds a proof of the device's key; for `ask` it makes the key first. */
  script?: 'proof' | 'ask';
  isSecond?: boolean;
}

/** A form of one button. */
export function postForm({
  action,
  values = {},
  button,
  about,
  inputs,
  script,
  isSecond = false,
}: FormParts): Html {
  const sent = script === 'ask' ? { ...values, fingerprint: '' } : values;
  const carried = Object.entries(sent).map(([name, value]) =>
    value === undefined ? html`` : html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const isScripted = script !== undefined;
  const second = isSecond ? html` class="second"` : undefined;
  const proof = isScripted ? html` data-proof` : undefined;
  return html`<form method="post" action="${action}"${proof}>${carried}
${inputs}${isScripted ? alert : undefined}
<button${second}${describedBy(about)}>${button}</button></form>\n`;
}

export interface TextField {
  id: string;
  name: string;
  label: string;
  hint?: string;
  value?: string;
  maxLength: number;
  error?: string | undefined;
  /** Attributes beyond the usual ones. */
  attributes?: Html;
}

/** A labelled input; its hint and its error are read out with it. */
export function textField({
  id,
  name,
  label,
  hint,
  value = '',
  maxLength,
  error,
  attributes,
}: TextField): Html {
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const ids = [errorId ?? [], hintId ?? []].flat().join(' ');
  return html`<label for="${id}">${label}</label>
${hintId && html`<p class="hint" id="${hintId}">${hint}</p>\n`}${
    errorId && html`<p class="error" id="${errorId}">${error}</p>\n`
  }<input id="${id}" name="${name}" type="text" value="${value}" maxlength="${maxLength}"
autocomplete="off"${ids === '' ? undefined : describedBy(ids)}${
    errorId && html` aria-invalid="true"`
  } ${attributes}>
`;
}

/** What the script has to know of the device that shows the page. */
export interface ScriptFacts {
  device: { id: string; state: string; jkt: string | null } | undefined;
  next?: string | undefined;
  /** For the first proof. */
  nonce: string;
  /** Unix ms: the browser's clock may be wrong, and proofs are good for a minute. */
  now: number;
}

export const scriptFacts = ({ device, next = '', nonce, now }: ScriptFacts): Html =>
  html`<div id="device" hidden data-id="${device?.id ?? ''}"
data-state="${device?.state ?? 'unknown'}"${device?.jkt == null ? undefined : html` data-keyed="1"`}
data-next="${next}" data-nonce="${nonce}" data-now="${now}"></div>`;
