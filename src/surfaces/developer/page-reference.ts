import { STATUS_CODES } from 'node:http';
import { html, type Html } from '../../lib/text/html.ts';
import { mapInSlices } from '../../lib/concurrency/slices.ts';
import type { SitePage } from '../../platform/ui/pages.ts';
import type { Answer, ApiDocument, ApiOperation, ApiTag } from './openapi-document.ts';
import { around, type Surroundings } from './pages.ts';
import { formatted, paragraphs } from './plain-text.ts';
import { samplesOf } from './samples.ts';
import { exampleOf, mediaExample } from './schema-examples.ts';
import { fieldList, membersOf } from './schema-fields.ts';

export interface Reference {
  document: ApiDocument;
  /** Who may call an operation, by its id: the names of scopes. */
  scopes: ReadonlyMap<string, string>;
  /** Public address of this server, without a slash at its end. */
  baseUrl: string;
}

export const tagPath = (tag: string): string => `/developer/reference/${encodeURIComponent(tag)}`;
const names: Readonly<Partial<Record<string, string>>> = {
  otp: 'One-time codes',
  blackops: 'Device security',
  'api-keys': 'API keys',
  geoip: 'GeoIP',
  mcp: 'MCP',
  graphql: 'GraphQL',
  auth: 'Sign-in',
  idp: 'Identity provider',
};
/** A tag as people call what it is about. */
const titleOf = (tag: string): string =>
  names[tag] ?? `${tag.slice(0, 1).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;
const isJson = (type: string): boolean => type.endsWith('json');
const mediaOf = (content: Record<string, unknown>): string | undefined =>
  Object.keys(content).find(isJson) ?? Object.keys(content)[0];
const method = (name: string): Html =>
  html`<span class="method ${name}">${name.toUpperCase()}</span>`;
const whole = (status: string): boolean => status.startsWith('2');

/** Address and body of a call that would work, from examples. */
function callOf(
  { method: name, path, parameters = [], requestBody, security = [], responses = {} }: ApiOperation,
  { document: { resolve }, baseUrl }: Reference,
) {
  const value = ({ schema, example, name: key }: NonNullable<ApiOperation['parameters']>[number]) =>
    String(example ?? exampleOf(schema ?? {}, resolve, 'required', key));
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce((url, each) => url.replace(`{${each.name}}`, encodeURIComponent(value(each))), path);
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && each.required === true)
      .map((each): [string, string] => [each.name, value(each)]),
  ).toString();
  const content = requestBody?.content ?? {};
  const type = mediaOf(content);
  const [, answer] = Object.entries(responses).find(([status]) => whole(status)) ?? [];
  return {
    method: name.toUpperCase(),
    url: `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`,
    needsToken: security.length > 0,
    isJson: isJson(mediaOf(answer?.content ?? {}) ?? ''),
    body:
      type === undefined
        ? undefined
        : { type, value: mediaExample(content[type] ?? {}, resolve, 'required') },
  };
}

const block = (label: string, text: string): Html =>
  html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>\n`;

function samples(
  operation: ApiOperation,
  call: ReturnType<typeof callOf>,
  { document: { resolve } }: Reference,
): Html {
  const tabs = samplesOf(call).map(
    ({ language, name, text }, at) =>
      html`<details name="s-${operation.operationId}" data-language="${language}"${at === 0 ? html` open` : undefined}><summary>${name}</summary>\n${block(name, text)}</details>\n`,
  );
  const [status = '', answer] =
    Object.entries(operation.responses ?? {}).find(([each]) => whole(each)) ?? [];
  const type = mediaOf(answer?.content ?? {}) ?? '';
  const example = isJson(type)
    ? mediaExample(answer?.content?.[type] ?? {}, resolve, 'all')
    : undefined;
  return html`<div class="samples">\n<div class="tabs">\n${tabs}</div>\n${example === undefined ? undefined : block(`Answer ${status}`, JSON.stringify(example, null, 2))}</div>`;
}

const needs = (operation: ApiOperation, scope: string | undefined): string => {
  if ((operation.security ?? []).length === 0) return 'No credential is needed.';
  const who =
    {
      'signed-in': 'a person who is signed in',
      fresh: 'a person who signed in during the last five minutes',
      admin: 'an admin',
      public: 'whoever has a credential',
    }[scope ?? ''] ??
    scope ??
    'whoever has a credential';
  return `For ${who}: API key or access token (Authorization: Bearer), or the session cookie.`;
};

/** The error codes that an answer is documented with: its examples are named by them. */
function codesOf(content: NonNullable<Answer['content']>): string[] {
  const named = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(named.filter((name) => /^[a-z_]+\.[a-z0-9_]+$/.test(name)))];
}

const codeLinks = (codes: readonly string[]): Html =>
  html`${codes.map((code, at) => html`${at === 0 ? ' ' : ', '}<a href="/developer/errors#${code}"><code>${code}</code></a>`)}`;

function answers({ responses = {} }: ApiOperation, { document: { resolve } }: Reference): Html {
  const items = Object.entries(responses).map(([status, { description = '', content = {} }]) => {
    const type = mediaOf(content);
    const text =
      description === '' || description === 'Default Response'
        ? (STATUS_CODES[status] ?? 'Done')
        : description;
    const isProblem = !whole(status) && type !== undefined;
    const members =
      type === undefined ? undefined : membersOf(content[type]?.schema ?? {}, resolve);
    if (isProblem)
      return html`\n<li><span class="status">${status}</span> ${formatted(text)}${codeLinks(codesOf(content))}</li>`;
    const head = html`<span class="status">${status}</span> ${formatted(text)}${type === undefined ? undefined : html` <span class="type">${type}</span>`}`;
    return members === undefined
      ? html`\n<li>${head}</li>`
      : html`\n<li><details><summary>${head}</summary>\n${members}</details></li>`;
  });
  return html`<h3>Answers</h3>\n<ul class="fields">${items}\n</ul>\n`;
}

function inputs(
  { parameters = [], requestBody }: ApiOperation,
  { document: { resolve } }: Reference,
): Html {
  const fields = parameters.map(
    ({ name, in: place, required = false, description, schema = {} }) => ({
      name,
      schema,
      isRequired: required,
      description,
      place,
    }),
  );
  const lists = ['path', 'query', 'header', 'cookie'].flatMap((place) => {
    const those = fields.filter((field) => field.place === place);
    return those.length === 0
      ? []
      : [
          html`<h3>${{ path: 'In the path', query: 'In the query', header: 'Headers', cookie: 'Cookies' }[place] ?? place}</h3>\n${fieldList(those, resolve)}\n`,
        ];
  });
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema = {} }]) =>
      html`<h3>Body <span class="type">${type}</span></h3>\n${membersOf(schema, resolve) ?? html`<p>${schema.description ?? 'Any value of this type.'}</p>`}\n`,
  );
  return html`${lists}${bodies}`;
}

function section(operation: ApiOperation, reference: Reference): Html {
  const {
    operationId: id,
    summary,
    description,
    method: name,
    path,
    others,
    deprecated = false,
  } = operation;
  const call = callOf(operation, reference);
  const isTried =
    operation.tags?.[0] !== 'pages' &&
    !path.startsWith('/ws/') &&
    ['get', 'post', 'put', 'patch', 'delete'].includes(name);
  const tried = !isTried
    ? undefined
    : html` data-method="${call.method}" data-path="${path}"${call.body === undefined ? undefined : html` data-type="${call.body.type}" data-body="${isJson(call.body.type) ? JSON.stringify(call.body.value, null, 2) : ''}"`}`;
  return html`
<section class="operation" id="${id}"${tried}>
<h2><a href="#${id}">${summary ?? id}</a></h2>
<p class="address">${method(name)} <code>${path}</code>${deprecated ? html` <span class="must">deprecated</span>` : undefined}</p>
${others.map((other) => html`<p class="address" id="${other.id}">also ${method(other.method)} <code>${other.path}</code></p>\n`)}<div class="both">
<div>
${description === undefined ? undefined : paragraphs(description)}<p class="needs">${needs(operation, reference.scopes.get(id))}</p>
${inputs(operation, reference)}${answers(operation, reference)}</div>
${samples(operation, call, reference)}
</div>
</section>`;
}

const listed = (
  { operationId: id, method: name, path, summary }: ApiOperation,
  tag: string,
): Html =>
  html`\n<li id="${id}">${method(name)} <span><a href="${tagPath(tag)}#${id}">${summary ?? id}</a> <code>${path}</code></span></li>`;

/**
 * All operations, by what they are about. Each is an anchor here too, so that
 * `/developer/reference#otp.otp_send` leads on.
 */
export function referencePage(
  { document: { tags }, baseUrl }: Reference,
  surroundings: Surroundings,
): SitePage {
  return around(
    {
      title: 'API reference',
      path: '/developer/reference',
      description: `Every operation of ${surroundings.appName}: fields, answers and samples in curl, TypeScript and Python.`,
      body: html`<p class="intro">Everything is below <code>${baseUrl}</code>, takes and gives JSON unless it says otherwise, and answers with and without a slash at the end of its path. This reference is made from the <a href="/api/openapi.json">OpenAPI document</a>, as <a href="/api/docs">Swagger UI</a> is. Programs send <code>Authorization: Bearer</code> with an API key or an access token; a browser sends its session cookie. Failures have a <a href="/developer/errors">code</a>.</p>
<div class="text">${tags.map(({ name, description, operations }) => html`\n<h2 id="tag-${name}"><a href="${tagPath(name)}">${titleOf(name)}</a></h2>\n<p>${formatted(description)}</p>\n<ul class="operations">${operations.map((operation) => listed(operation, name))}\n</ul>`)}
</div>`,
    },
    surroundings,
    tags.map(({ name }) => ({ href: tagPath(name), text: titleOf(name) })),
  );
}

/** The operations of one tag, in full. The event loop gets its turns meanwhile. */
export async function tagPage(
  { name, description, operations }: ApiTag,
  reference: Reference,
  surroundings: Surroundings,
): Promise<SitePage> {
  const sections = await mapInSlices(operations, (operation) => section(operation, reference));
  return around(
    {
      title: `${titleOf(name)}: API reference`,
      heading: html`<h1>${titleOf(name)}</h1>`,
      path: tagPath(name),
      description:
        `${description} ${operations.length} operations of ${surroundings.appName}, with fields, answers and samples.`.trim(),
      body: html`<p class="lead">${formatted(description)}</p>
<p class="also"><a href="/developer/reference">All operations</a></p>${sections}`,
    },
    surroundings,
    operations.map(({ operationId, summary = operationId }) => ({
      href: `#${operationId}`,
      text: summary,
    })),
  );
}
