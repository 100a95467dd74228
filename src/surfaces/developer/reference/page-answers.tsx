import { STATUS_CODES } from 'node:http';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatted } from '../plain-text.tsx';
import { isSuccess, mediaOf } from './media.ts';
import { texts } from '../texts/en/reference.ts';
import type { Answer, ApiDocument, ApiOperation } from './openapi-document.ts';
import { membersOf } from './schema-fields.tsx';

type Resolve = ApiDocument['resolve'];

/** The error codes of a response: the names of its examples. */
function codesOf(content: NonNullable<Answer['content']>): string[] {
  const named = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(named.filter((name) => /^[a-z_]+\.[a-z0-9_]+$/.test(name)))];
}

const codeLinks = (codes: readonly string[]): Html => (
  <>
    {codes.map((code, at) => (
      <>
        {escapeHtml(at === 0 ? ' ' : ', ')}
        <a href={`/developer/errors#${code}`}>
          <code safe>{code}</code>
        </a>
      </>
    ))}
  </>
);

function answer(status: string, { description = '', content = {} }: Answer, resolve: Resolve) {
  const type = mediaOf(content);
  const isDefault = description === '' || description === 'Default Response';
  const text = formatted(isDefault ? (STATUS_CODES[status] ?? texts.operation.done) : description);
  const head = (
    <>
      <span class="status" safe>
        {status}
      </span>{' '}
      {text}
    </>
  );
  if (type === undefined) return <li>{head}</li>;
  if (!isSuccess(status))
    return (
      <li>
        {head}
        {codeLinks(codesOf(content))}
      </li>
    );
  const typed = (
    <>
      {head}{' '}
      <span class="type" safe>
        {type}
      </span>
    </>
  );
  const members = membersOf(content[type]?.schema ?? {}, resolve);
  return members === undefined ? (
    <li>{typed}</li>
  ) : (
    <li>
      <details>
        <summary>{typed}</summary>
        {members}
      </details>
    </li>
  );
}

/** The list of the responses of an operation, with their fields or error codes. */
export function answers({ responses = {} }: ApiOperation, resolve: Resolve): Html {
  const items = Object.entries(responses).map(([status, each]) => answer(status, each, resolve));
  return (
    <>
      <h3 safe>{texts.operation.responses}</h3>
      <ul class="fields">{items}</ul>
    </>
  );
}
