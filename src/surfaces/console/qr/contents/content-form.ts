import { publicUrlProblem } from '../../../../lib/net/public-url.ts';
import { typedUrl } from '../../../../lib/net/typed-url.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { QrContent } from '../../../../areas/qr/payloads/contents.ts';
import { type FormValues, instantOf, textOf } from '../../forms.ts';
import { texts } from '../texts/en.ts';
import { type ContentType, contentTypes } from './content-types.ts';

/** What is wrong with fields, by their names. */
type Problems = ReadonlyMap<string, string>;

/** What the fields of a type say: a target, a content, or what is wrong. */
export type GivenContent =
  | { kind: 'url'; url: string; hasAddedScheme: boolean }
  | { kind: 'content'; content: QrContent }
  | { kind: 'wrong'; problems: Problems };

const words = texts.problems;

/** The chosen type; a link where none is. */
export const typeOf = (values: FormValues): ContentType =>
  contentTypes.find((type) => type === textOf(values, 'type')) ?? 'url';

/** A target as it was typed, with the scheme that was left out; or what is wrong with it. */
export function targetOf(
  text: string | undefined,
  ownOrigin: string,
): { url: string; hasAddedScheme: boolean } | { problem: string } {
  if (text === undefined) return { problem: words.url.invalid };
  const url = typedUrl(text);
  const problem = publicUrlProblem(url, ownOrigin);
  return problem === undefined
    ? { url, hasAddedScheme: url !== text }
    : { problem: words.url[problem] };
}

type Text = (name: string) => string | undefined;

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text.replace(',', '.'));

const webAddress = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : typedUrl(text);

/** What the fields of each type are in a content. The schema of the API checks it. */
const readers: Readonly<Record<Exclude<ContentType, 'url'>, (text: Text) => object>> = {
  wifi: (text) => {
    const auth = text('auth') ?? 'WPA';
    return {
      ssid: text('ssid'),
      auth,
      ...(auth === 'nopass' ? {} : { password: text('password') }),
      ...(text('hidden') === 'true' ? { hidden: true } : {}),
    };
  },
  vcard: (text) => ({
    first_name: text('first_name'),
    last_name: text('last_name'),
    organization: text('organization'),
    ...(text('phone') === undefined ? {} : { phones: [{ kind: 'cell', number: text('phone') }] }),
    ...(text('email') === undefined ? {} : { emails: [text('email')] }),
    url: webAddress(text('website')),
  }),
  email: (text) => ({ to: text('to'), subject: text('subject'), body: text('body') }),
  sms: (text) => ({ number: text('number'), text: text('text') }),
  geo: (text) => ({
    latitude: numberOf(text('latitude')),
    longitude: numberOf(text('longitude')),
  }),
  event: (text) => ({
    title: text('title'),
    starts_at: text('starts_at'),
    ends_at: text('ends_at'),
    location: text('location'),
  }),
  text: (text) => ({ text: text('text') }),
};

/** The fields of members that have another name, or lie in a list. */
const fieldNames: Readonly<Partial<Record<string, string>>> = {
  'vcard.phones': 'vcard.phone',
  'vcard.emails': 'vcard.email',
  'vcard.url': 'vcard.website',
};

function problemsOf(
  type: ContentType,
  issues: readonly { path: readonly PropertyKey[] }[],
): Problems {
  const messages: Readonly<Partial<Record<string, string>>> = words.content;
  const problems = issues.map(({ path: [member] }): [string, string] => {
    const name = `${type}.${String(member ?? '')}`;
    const field = fieldNames[name] ?? name;
    return [field, messages[field] ?? words.other];
  });
  return new Map(problems);
}

/** Reads the fields of the chosen type. */
export function readContent(values: FormValues, ownOrigin: string): GivenContent {
  const type = typeOf(values);
  if (type === 'url') {
    const target = targetOf(textOf(values, 'url'), ownOrigin);
    return 'problem' in target
      ? { kind: 'wrong', problems: new Map([['url', target.problem]]) }
      : { kind: 'url', ...target };
  }
  const text: Text = (name) =>
    name.endsWith('_at') ? instantOf(values, `${type}.${name}`) : textOf(values, `${type}.${name}`);
  const { success, data, error } = QrContent.safeParse({ type, ...readers[type](text) });
  return success
    ? { kind: 'content', content: data }
    : { kind: 'wrong', problems: problemsOf(type, error.issues) };
}

/** A name for a code without one: what it leads to or contains. */
export function defaultNameOf(given: GivenContent): string {
  if (given.kind === 'wrong') return '';
  if (given.kind === 'url')
    return readableUrl(given.url)
      .replace(/^https?:\/\/(?:www\.)?/, '')
      .replace(/[/?#]+$/, '')
      .slice(0, 80);
  const { content } = given;
  const names = texts.defaultNames;
  switch (content.type) {
    case 'url':
      return content.url;
    case 'wifi':
      return names.wifi({ ssid: content.ssid });
    case 'vcard':
      return [content.first_name, content.last_name ?? content.organization].join(' ').trim();
    case 'email':
      return names.email({ to: content.to });
    case 'sms':
      return names.sms({ number: content.number });
    case 'geo':
      return names.geo({
        latitude: String(content.latitude),
        longitude: String(content.longitude),
      });
    case 'event':
      return content.title;
    case 'text':
      return content.text.replace(/\s+/g, ' ').slice(0, 60).trim();
  }
}
