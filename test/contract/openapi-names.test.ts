import { describe, expect } from 'vitest';
import {
  type JsonSchema,
  type OpenApiDocument,
  operationsOf,
} from '../../src/platform/openapi/document.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';

const app = await sharedApp();
const document = (await app.http.inject('/api/openapi.json')).json<OpenApiDocument>();

/** Promised to clients before there was a rule. */
const promised = new Set(
  `SignupBody CMYKGoogleInitRequest CMYKGoogleInitResponse CMYKPhoneRequest CMYKVerifyOTPRequest
  CMYKPhoneOnlyRequest MobileAuthRequest VerifyOTPRequest EmailAuthRequest OTPResponse
  TokenResponse TwoFactorStatusResponse BackupCodesResponse DeviceFingerprintBody RevokeDeviceBody
  HTTPValidationError`.split(/\s+/),
);
/** Named by their standards (WebAuthn), or sent alone as in a list. */
const fromElsewhere = /^(\w+JSON|JsonRpcError|AnalyticsEvent)$/;
const isOurs = (name: string): boolean => !promised.has(name) && !fromElsewhere.test(name);

const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** The names of the schemas that a body is, or is one of. */
function bodyNames({ $ref, anyOf = [], oneOf = [] }: JsonSchema): string[] {
  return $ref === undefined ? [...anyOf, ...oneOf].flatMap(bodyNames) : [nameOf($ref)];
}

const bodies = [
  ...new Set(
    operationsOf(document)
      .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
      .flatMap(({ schema = {} }) => bodyNames(schema)),
  ),
].filter(isOurs);
const answers = Object.keys(document.components.schemas).filter(
  (name) => isOurs(name) && !bodies.includes(name),
);

const verbs = `Approve Change ChangeMany Confirm Create Deny Import Join Patch Provision Reencode
  Refresh Rename Reopen Request Restore Run Send Store Update`.split(/\s+/);
const verb = new RegExp(`^(${verbs.join('|')})(?=[A-Z])`);

describe('the name of a schema', () => {
  it('says in a request what is done, as in `CreateQrCode`', () => {
    expect(bodies.length).toBeGreaterThan(40);
    expect(bodies.filter((name) => !verb.test(name))).toEqual([]);
    expect(bodies.filter((name) => /(Body|Request|Input|Patch)$/.test(name))).toEqual([]);
  });

  it('is a noun in a response, and ends in `List` for lists', () => {
    expect(answers.length).toBeGreaterThan(120);
    expect(answers.filter((name) => verb.test(name))).toEqual([]);
    expect(answers.filter((name) => /(Body|Response|Answer|View|Page)$/.test(name))).toEqual([]);
    const lists = answers.filter(
      (name) => document.components.schemas[name]?.properties?.data?.type === 'array',
    );
    // What was done, what was found, and lists that are ranked or measured have names of their own.
    const other = /^(CancelledJobs|RetriedJobs|ConsoleSearch|Sitemap)$|(Report|Leaderboard)$/;
    expect(lists.filter((name) => !name.endsWith('List') && !other.test(name))).toEqual([]);
  });

  it('has acronyms as words', () => {
    expect([...bodies, ...answers].filter((name) => /[A-Z]{2}/.test(name))).toEqual([]);
  });

  it('is there for everything that clients were promised', () => {
    const names = Object.keys(document.components.schemas);
    expect([...promised].filter((name) => !names.includes(name))).toEqual([]);
  });
});

/** Yields every text of an example, with the name of the member that it is in. */
function* textsIn(value: unknown, name: string): Generator<{ name: string; text: string }> {
  if (typeof value === 'string') yield { name, text: value };
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each, name);
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, key);
}

const plain = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[_…]/g, ' ')
    .trim();

const isPlaceholder = ({ name, text }: { name: string; text: string }): boolean =>
  ['', 'text', 'string', plain(name)].includes(plain(text)) && text !== '';

describe('an example', () => {
  it('shows a value, never the name of its member', () => {
    const found = operationsOf(document).flatMap(
      ({ operationId = '', parameters = [], requestBody, responses }) => [
        ...parameters
          .flatMap(({ name, example }) => [...textsIn(example, name)])
          .filter(isPlaceholder)
          .map(({ name }) => `${operationId} parameter ${name}`),
        ...[requestBody, ...Object.values(responses)]
          .flatMap((part) => Object.values(part?.content ?? {}))
          .flatMap(({ example }) => [...textsIn(example, '')])
          .filter(isPlaceholder)
          .map(({ name }) => `${operationId} ${name}`),
      ],
    );
    expect(found).toEqual([]);
  });
});
