import { STATUS_CODES } from 'node:http';
import { html, type Html } from '../../../lib/text/html.ts';
import { mapInSlices } from '../../../lib/concurrency/slices.ts';
import type { SitePage } from '../../../platform/ui/pages.ts';
import type { Answer, ApiDocument, ApiOperation, ApiTag, Media } from './openapi-document.ts';
import { withNavigation, type Surroundings } from '../pages.ts';
import { formatted, paragraphs } from '../plain-text.ts';
import { type Call, samplesOf } from './samples.ts';
import { fieldList, membersOf } from './schema-fields.ts';

export interface Reference {
  document: ApiDocument;
  /** The scope of each operation, by operation id. */
  scopes: ReadonlyMap<string, string>;
  /** Public URL of this server, without a trailing slash. */
  baseUrl: string;
}

type Resolve = ApiDocument['resolve'];

const tagPath = (tag: string): string => `/developer/reference/${encodeURIComponent(tag)}`;
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
/** The display name of a tag. */
const titleOf = (tag: string): string =>
  names[tag] ?? `${tag.slice(0, 1).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;
const isJson = (type: string): boolean => type.endsWith('json');
const mediaOf = (content: Record<string, unknown>): string | undefined =>
  Object.keys(content).find(isJson) ?? Object.keys(content)[0];
const method = (name: string): Html =>
  html`<span class="method ${name}">${name.toUpperCase()}</span>`;
const isSuccess = (status: string): boolean => status.startsWith('2');

/** The example of a body or response. */
const exampleOf = ({ example, examples = {} }: Media): unknown =>
  example ?? Object.values(examples)[0]?.value;

/** Builds a call of an operation from its examples. */
function callOf(
  { method: name, path, parameters = [], requestBody, security = [], responses = {} }: ApiOperation,
  baseUrl: string,
): Call {
  const expandedPath = parameters
    .filter((each) => each.in === 'path')
    .reduce(
      (url, each) => url.replace(`{${each.name}}`, encodeURIComponent(String(each.example))),
      path,
    );
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && each.required === true)
      .map((each): [string, string] => [each.name, String(each.example)]),
  ).toString();
  const content = requestBody?.content ?? {};
  const type = mediaOf(content);
  const [, answer] = Object.entries(responses).find(([status]) => isSuccess(status)) ?? [];
  return {
    method: name.toUpperCase(),
    url: `${baseUrl}${expandedPath}${query === '' ? '' : `?${query}`}`,
    needsToken: security.length > 0,
    isJson: isJson(mediaOf(answer?.content ?? {}) ?? ''),
    body: type === undefined ? undefined : { type, value: exampleOf(content[type] ?? {}) },
  };
}

function block(label: string, text: string): Html {
  const code = html`<pre tabindex="0"><code>${text}</code></pre>`;
  return html`<figure class="code"><figcaption>${label}</figcaption>${code}</figure>\n`;
}

function samples({ operationId, responses = {} }: ApiOperation, call: Call): Html {
  const tabs = samplesOf(call).map(({ language, name, text }, at) => {
    const open = at === 0 ? html` open` : undefined;
    return html`<details name="s-${operationId}" data-language="${language}"${open}>
<summary>${name}</summary>
${block(name, text)}</details>\n`;
  });
  const [status = '', { content = {} } = {}] =
    Object.entries(responses).find(([each]) => isSuccess(each)) ?? [];
  const type = mediaOf(content) ?? '';
  const example = isJson(type) ? exampleOf(content[type] ?? {}) : undefined;
  const answer =
    example === undefined ? undefined : block(`Answer ${status}`, JSON.stringify(example, null, 2));
  return html`<div class="samples">
<div class="tabs">
${tabs}</div>
${answer}</div>`;
}

const callers: Readonly<Partial<Record<string, string>>> = {
  'signed-in': 'a person who is signed in',
  fresh: 'a person who signed in during the last five minutes',
  admin: 'an admin',
  public: 'whoever has a credential',
};
function needs({ security = [] }: ApiOperation, scope = 'public'): string {
  if (security.length === 0) return 'No credential is needed.';
  const audience = callers[scope] ?? scope;
  return `For ${audience}: API key or access token (Authorization: Bearer), or the session cookie.`;
}

/** The error codes of a response: the names of its examples. */
function codesOf(content: NonNullable<Answer['content']>): string[] {
  const named = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(named.filter((name) => /^[a-z_]+\.[a-z0-9_]+$/.test(name)))];
}

const codeLinks = (codes: readonly string[]): Html =>
  html`${codes.map(
    (code, at) =>
      html`${at === 0 ? ' ' : ', '}<a href="/developer/errors#${code}"><code>${code}</code></a>`,
  )}`;

function answer(status: string, { description = '', content = {} }: Answer, resolve: Resolve) {
  const type = mediaOf(content);
  const isDefault = description === '' || description === 'Default Response';
  const text = formatted(isDefault ? (STATUS_CODES[status] ?? 'Done') : description);
  const head = html`<span class="status">${status}</span> ${text}`;
  if (type === undefined) return html`\n<li>${head}</li>`;
  if (!isSuccess(status)) return html`\n<li>${head}${codeLinks(codesOf(content))}</li>`;
  const typed = html`${head} <span class="type">${type}</span>`;
  const members = membersOf(content[type]?.schema ?? {}, resolve);
  return members === undefined
    ? html`\n<li>${typed}</li>`
    : html`\n<li><details><summary>${typed}</summary>\n${members}</details></li>`;
}

function answers({ responses = {} }: ApiOperation, resolve: Resolve): Html {
  const items = Object.entries(responses).map(([status, each]) => answer(status, each, resolve));
  return html`<h3>Answers</h3>\n<ul class="fields">${items}\n</ul>\n`;
}

const locationTitles = {
  path: 'In the path',
  query: 'In the query',
  header: 'Headers',
  cookie: 'Cookies',
};

function inputs({ parameters = [], requestBody }: ApiOperation, resolve: Resolve): Html {
  const fields = parameters.map(
    ({ name, in: location, required = false, description, schema = {} }) => ({
      name,
      schema,
      isRequired: required,
      description,
      location,
    }),
  );
  const lists = Object.entries(locationTitles).flatMap(([location, title]) => {
    const matching = fields.filter((field) => field.location === location);
    return matching.length === 0
      ? []
      : [html`<h3>${title}</h3>\n${fieldList(matching, resolve)}\n`];
  });
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema = {} }]) =>
      html`<h3>Body <span class="type">${type}</span></h3>
${membersOf(schema, resolve) ?? html`<p>${schema.description ?? 'Any value of this type.'}</p>`}
`,
  );
  return html`${lists}${bodies}`;
}

const callableMethods = ['get', 'post', 'put', 'patch', 'delete'];

/** Data attributes from which the script of the page offers to try a call. */
function callData({ tags = [], method: name, path }: ApiOperation, { method: verb, body }: Call) {
  if (tags[0] === 'pages' || path.startsWith('/ws/') || !callableMethods.includes(name))
    return undefined;
  const text = body !== undefined && isJson(body.type) ? JSON.stringify(body.value, null, 2) : '';
  const sent = body === undefined ? undefined : html` data-type="${body.type}" data-body="${text}"`;
  return html` data-method="${verb}" data-path="${path}"${sent}`;
}

const alias = ({ id, method: name, path }: ApiOperation['others'][number]): Html =>
  html`<p class="address" id="${id}">also ${method(name)} <code>${path}</code></p>\n`;

function section(
  operation: ApiOperation,
  { document: { resolve }, scopes, baseUrl }: Reference,
): Html {
  const { operationId: id, summary = id, description, deprecated, others, path } = operation;
  const call = callOf(operation, baseUrl);
  const mark = deprecated === true ? html` <span class="must">deprecated</span>` : undefined;
  const access = html`<p class="needs">${needs(operation, scopes.get(id))}</p>`;
  return html`
<section class="operation" id="${id}"${callData(operation, call)}>
<h2><a href="#${id}">${summary}</a></h2>
<p class="address">${method(operation.method)} <code>${path}</code>${mark}</p>
${others.map(alias)}<div class="both">
<div>
${description === undefined ? undefined : paragraphs(description)}${access}
${inputs(operation, resolve)}${answers(operation, resolve)}</div>
${samples(operation, call)}
</div>
</section>`;
}

const operationItem = (
  { operationId: id, method: name, path, summary }: ApiOperation,
  tag: string,
): Html =>
  html`\n<li id="${id}">${method(name)} <span><a href="${tagPath(tag)}#${id}">${summary ?? id}</a>
<code>${path}</code></span></li>`;

/** The overview of all operations by tag, with anchors: `/developer/reference#otp.otp_send`. */
export function referencePage(
  { document: { tags }, baseUrl }: Reference,
  surroundings: Surroundings,
): SitePage {
  return withNavigation(
    {
      title: 'API reference',
      path: '/developer/reference',
      description:
        `Every operation of ${surroundings.appName}: fields, answers and samples in curl, ` +
        'TypeScript and Python.',
      body: html`<p class="intro">Everything is below <code>${baseUrl}</code>, takes and gives JSON
unless it says otherwise, and answers with and without a slash at the end of its path. This
reference is made from the <a href="/api/openapi.json">OpenAPI document</a>, as
<a href="/api/docs">Swagger UI</a> is. Programs send <code>Authorization: Bearer</code> with an API
key or an access token; a browser sends its session cookie. Failures have a
<a href="/developer/errors">code</a>.</p>
<div class="text">${tags.map(
        ({ name, description, operations }) =>
          html`\n<h2 id="tag-${name}"><a href="${tagPath(name)}">${titleOf(name)}</a></h2>
<p>${formatted(description)}</p>
<ul class="operations">${operations.map((operation) => operationItem(operation, name))}
</ul>`,
      )}
</div>`,
    },
    surroundings,
    tags.map(({ name }) => ({ href: tagPath(name), text: titleOf(name) })),
  );
}

/** The page of a tag with its operations in full. Does not block the event loop. */
export async function tagPage(
  { name, description, operations }: ApiTag,
  reference: Reference,
  surroundings: Surroundings,
): Promise<SitePage> {
  const sections = await mapInSlices(operations, (operation) => section(operation, reference));
  return withNavigation(
    {
      title: `${titleOf(name)}: API reference`,
      heading: html`<h1>${titleOf(name)}</h1>`,
      path: tagPath(name),
      description: (
        `${description} ${operations.length} operations of ${surroundings.appName}, ` +
        'with fields, answers and samples.'
      ).trim(),
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
