import type { Html } from '../../../../lib/text/html.ts';
import { Banner } from '../../../../platform/ui/components/feedback.tsx';
import { Form } from '../../../../platform/ui/components/form.tsx';
import { Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
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

/** Names and values. */
export const facts = (all: readonly (readonly [name: string, value: Html])[]): Html => (
  <Facts facts={all.map(([name, value]) => ({ name, value }))} />
);

export const notice = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : <Banner text={text} tone="info" role="status" />;

/** The element into which the script writes errors. */
export const alert: Html = <p class="error" role="alert"></p>;

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
  /** In a row. */
  isSmall?: boolean;
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
  isSmall = false,
}: FormParts): Html {
  const sent = script === 'ask' ? { ...values, fingerprint: '' } : values;
  const isScripted = script !== undefined;
  return (
    <Form
      action={action}
      values={sent}
      isInline={inputs === undefined && !isScripted}
      submit={{
        label: button,
        kind: isSecond ? 'secondary' : 'primary',
        ...(isSmall && { size: 'small' as const }),
        attributes: { 'aria-describedby': about },
      }}
      attributes={isScripted ? { 'data-proof': true } : {}}
    >
      {inputs}
      {isScripted ? alert : undefined}
    </Form>
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
