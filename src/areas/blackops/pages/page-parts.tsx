import type { Attributes, Html } from '../../../lib/text/html.ts';
import { Time } from '../../../platform/ui/time.tsx';
import type { Binding } from '../states.ts';
import { texts } from '../texts/en.ts';

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

/** Formats browser and system families for people: `Chrome on macOS`. */
export function programOf({ browser, os }: { browser: string | null; os: string | null }): string {
  if (browser === null && os === null) return texts.program.unknown;
  if (browser === null || os === null) return nameOf(browser ?? os ?? '');
  return texts.program.browserOn({ browser: nameOf(browser), system: nameOf(os) });
}

/** Returns the English name of an ISO 3166-1 alpha-2 code: `Germany`. */
export const countryOf = (code: string | null): string =>
  code === null || !/^[A-Z]{2}$/.test(code)
    ? texts.program.unknownCountry
    : (regions.of(code) ?? code);

/** Names of bindings. */
export const bindingTexts: Readonly<Record<Binding, string>> = texts.bindings;

/** Renders a `<time>` element, in UTC. */
export const time = (at: Date | string): Html => <Time at={at} />;

/** Renders a `<dl>` of names and values. */
export const facts = (all: readonly (readonly [name: string, value: Html])[]): Html => (
  <dl>
    {all.map(([name, value]) => (
      <div>
        <dt safe>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export const notice = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : (
    <p class="notice" role="status" safe>
      {text}
    </p>
  );

/** The element into which the script writes errors. */
export const alert: Html = <p class="error" role="alert"></p>;

/** The `aria-describedby` attribute. */
export const describedBy = (id: string | undefined): Attributes | undefined =>
  id === undefined ? undefined : { 'aria-describedby': id };

export interface FormParts {
  action: string;
  /** Hidden fields; `undefined` is left out. */
  values?: Readonly<Record<string, string | undefined>>;
  button: string;
  /** Id of the element that describes the button. */
  about?: string;
  /** Labelled inputs. */
  inputs?: Html;
  /** The script adds a proof of the device's key; for `ask` it creates the key first. */
  script?: 'proof' | 'ask';
  isSecond?: boolean;
}

/** Renders a form with one button. */
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
  const hiddenFields = Object.entries(sent).map(([name, value]) =>
    value === undefined ? <></> : <input type="hidden" name={name} value={value} />,
  );
  const isScripted = script !== undefined;
  const second = isSecond ? { class: 'second' } : undefined;
  const proof = isScripted ? { 'data-proof': true } : undefined;
  return (
    <form method="post" action={action} {...proof}>
      {hiddenFields}
      {inputs}
      {isScripted ? alert : undefined}
      <button {...second} {...describedBy(about)} safe>
        {button}
      </button>
    </form>
  );
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
  attributes?: Attributes;
}

/** Renders a labelled input, described by its hint and its error. */
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
  return (
    <>
      <label for={id} safe>
        {label}
      </label>{' '}
      {hintId && (
        <p class="hint" id={hintId} safe>
          {hint}
        </p>
      )}
      {errorId && (
        <p class="error" id={errorId} safe>
          {error}
        </p>
      )}
      <input
        id={id}
        name={name}
        type="text"
        value={value}
        maxlength={maxLength}
        autocomplete="off"
        {...(ids === '' ? undefined : describedBy(ids))}
        {...(errorId && { 'aria-invalid': 'true' })}
        {...attributes}
      />
    </>
  );
}

/** Data for the script about the device in use. */
export interface ScriptFacts {
  device: { id: string; state: string; jkt: string | null } | undefined;
  next?: string | undefined;
  /** Nonce for the first DPoP proof. */
  nonce: string;
  /** Unix ms: the browser's clock may be wrong, and proofs are valid for one minute. */
  now: number;
}

export const scriptFacts = ({ device, next = '', nonce, now }: ScriptFacts): Html => (
  <div
    id="device"
    hidden
    data-id={device?.id ?? ''}
    data-state={device?.state ?? 'unknown'}
    {...(device?.jkt == null ? undefined : { 'data-keyed': '1' })}
    data-next={next}
    data-nonce={nonce}
    data-now={now}
  ></div>
);
