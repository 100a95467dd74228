import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Html } from '../../../lib/text/html.ts';
import { errorCodePath } from '../../../lib/site-paths.ts';
import { rich } from '../../../lib/text/rich.ts';
import { linkTo } from '../../../platform/ui/link-to.tsx';
import { formatted } from '../plain-text.tsx';
import { codesOf, isSuccess, mediaOf } from './media.ts';
import { texts } from '../texts/en/reference.ts';
import type { Response } from '../../../platform/openapi/document.ts';
import type { ApiDocument, ApiOperation } from './openapi-document.ts';
import { membersOf } from './schema-fields.tsx';

type Resolve = ApiDocument['resolve'];

const codeLink = (code: string): Html => (
  <a href={errorCodePath(code)}>
    <code safe>{code}</code>
  </a>
);

interface Failure {
  status: string;
  /** Absent for an error without a code of its own. */
  code?: string;
  meaning?: string;
}

const ProblemExample = z.object({ detail: z.string() });

/** What a code means, from its example: for responses that describe something else. */
function meaningOf({ content = {} }: Response, code: string): string {
  const found = Object.values(content).map(({ examples = {} }) => examples[code]?.value);
  return found.map((value) => ProblemExample.safeParse(value).data?.detail ?? '').join('');
}

/** The errors of a response. Each line of its description is one: a code with its meaning. */
function failuresOf(status: string, response: Response): Failure[] {
  const described = response.description
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Failure => {
      const [, code, meaning = ''] = /^(?:- )?`([\w.]+)`: (.*)$/.exec(line) ?? [];
      return code === undefined
        ? { status, meaning: line.replace(/^- /, '') }
        : { status, code, meaning };
    });
  const known = described.map(({ code }) => code);
  const others = codesOf(response).filter((code) => !known.includes(code));
  return [
    ...described,
    ...others.map((code) => ({ status, code, meaning: meaningOf(response, code) })),
  ];
}

const statusOf = (status: string): Html => (
  <b class={`status-${status.slice(0, 1)}`} safe>
    {status}
  </b>
);

const ownError = ({ status, code, meaning = '' }: Failure): Html => (
  <li>
    {statusOf(status)} {code !== undefined && codeLink(code)} {formatted(meaning)}
  </li>
);

/** Errors with a meaning of their own in lines, those of many operations together in one. */
function failureList(failures: readonly Failure[], common: ReadonlySet<string>): Html {
  const general = failures.filter(({ code = '' }) => common.has(code));
  const own = failures.filter((each) => !general.includes(each));
  const codes = general.map(({ status, code = '' }) => `${status} ${code}`).join(', ');
  return (
    <>
      {own.map(ownError)}
      {general.length > 0 && (
        <li>
          {rich(texts.operation.generalErrors, {
            link: linkTo('/developer/errors'),
            codes: () => <small safe>{codes}</small>,
          })}
        </li>
      )}
    </>
  );
}

function success(status: string, { description, content = {} }: Response, resolve: Resolve) {
  const type = mediaOf(content);
  const isDefault = description === '' || description === 'Default Response';
  const text = formatted(isDefault ? (STATUS_CODES[status] ?? texts.operation.done) : description);
  const members = type === undefined ? undefined : membersOf(content[type]?.schema ?? {}, resolve);
  return (
    <li>
      {statusOf(status)} {text}
      {type !== undefined && <small safe>{` ${type}`}</small>}
      {members && (
        <details>
          <summary safe>{texts.operation.responseFields}</summary>
          {members}
        </details>
      )}
    </li>
  );
}

/** The list of the responses of an operation, with their fields or error codes. */
export function responseSections(
  { responses }: ApiOperation,
  { resolve, commonErrors }: ApiDocument,
): Html {
  const all = Object.entries(responses);
  const isFailure = ([status, { content = {} }]: (typeof all)[number]) =>
    !isSuccess(status) && mediaOf(content) !== undefined;
  const failures = all.filter(isFailure).flatMap(([status, each]) => failuresOf(status, each));
  return (
    <>
      <h3 safe>{texts.operation.responses}</h3>
      <ul class="fields">
        {all
          .filter((each) => !isFailure(each))
          .map(([status, each]) => success(status, each, resolve))}
        {failureList(failures, commonErrors)}
      </ul>
    </>
  );
}
