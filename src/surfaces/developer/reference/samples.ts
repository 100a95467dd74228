/** A call of the API, from which samples are generated. */
export interface Call {
  /** In upper case. */
  method: string;
  /** The absolute URL. */
  url: string;
  needsToken: boolean;
  /** The request body and its media type; undefined without a body. */
  body: { type: string; value: unknown } | undefined;
  /** True when the response is JSON. */
  isJson: boolean;
}

const isJsonType = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json$/.test(type);
const form = (value: unknown): string =>
  new URLSearchParams(
    Object.entries(value ?? {}).map(([name, each]): [string, string] => [name, String(each)]),
  ).toString();
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
const sent = ({ type, value }: NonNullable<Call['body']>): string =>
  isJsonType(type) ? JSON.stringify(value) : typeof value === 'string' ? value : form(value);

/** A body for the shell: JSON on several lines where one would be too long to read. */
function shellBody(body: NonNullable<Call['body']>): string {
  const line = sent(body);
  const isLong = isJsonType(body.type) && line.length > 50;
  return shell(isLong ? JSON.stringify(body.value, null, 2).replaceAll('\n', '\n  ') : line);
}

function curl({ method, url, needsToken, body }: Call): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl${method === 'HEAD' ? ' -I' : isImplied ? '' : ` -X ${method}`} ${shell(url)}`,
    ...(needsToken ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : [`-H 'content-type: ${body.type}'`, `-d ${shellBody(body)}`]),
  ].join(' \\\n  ');
}

/** Formats a value as a TypeScript literal. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[${value.map((each) => literal(each, indent)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, each]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)}: ${literal(each, deeper)}`,
  );
  const line = `{ ${members.join(', ')} }`;
  return members.length === 0
    ? '{}'
    : line.length < 60
      ? line
      : `{\n${members.map((each) => `${deeper}${each},\n`).join('')}${indent}}`;
}

function typescript({ method, url, needsToken, body, isJson }: Call): string {
  const headers = [
    ...(needsToken ? ['authorization: `Bearer ${token}`'] : []),
    ...(body === undefined ? [] : [`'content-type': ${quoted(body.type)}`]),
  ];
  const content =
    body === undefined
      ? ''
      : isJsonType(body.type)
        ? `JSON.stringify(${literal(body.value, '  ')})`
        : quoted(sent(body));
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(content === '' ? [] : [`body: ${content}`]),
  ];
  const call =
    options.length === 0
      ? `fetch(${quoted(url)})`
      : `fetch(${quoted(url)}, {\n${options.map((each) => `  ${each},\n`).join('')}})`;
  return [
    `const response = await ${call};`,
    'if (!response.ok) throw new Error(`HTTP ${response.status}`);',
    `const data = await response.${isJson ? 'json' : 'text'}();`,
  ].join('\n');
}

/** Formats a value as a Python literal. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}    `;
  if (Array.isArray(value))
    return `[${value.map((each) => pythonLiteral(each, indent)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each, deeper)}`,
  );
  const line = `{${members.join(', ')}}`;
  return line.length < 60
    ? line
    : `{\n${members.map((each) => `${deeper}${each},\n`).join('')}${indent}}`;
}

function python({ method, url, needsToken, body, isJson }: Call): string {
  const headers = [
    ...(needsToken ? ['"authorization": f"Bearer {token}"'] : []),
    ...(body === undefined ? [] : [`"content-type": ${JSON.stringify(body.type)}`]),
  ];
  const isJsonBody = body !== undefined && isJsonType(body.type);
  const data = isJsonBody
    ? `json.dumps(${pythonLiteral(body.value, '    ')})`
    : body && JSON.stringify(sent(body));
  const options = [
    ...(method === 'GET' || (method === 'POST' && body !== undefined)
      ? []
      : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(data === undefined ? [] : [`data=${data}.encode()`]),
  ];
  const request =
    options.length === 0
      ? `urlopen(${JSON.stringify(url)})`
      : `urlopen(Request(\n    ${[JSON.stringify(url), ...options].join(',\n    ')},\n))`;
  const imports = isJson || isJsonBody ? 'import json\n' : '';
  const names = options.length === 0 ? 'urlopen' : 'Request, urlopen';
  const content = isJson ? 'json.load(response)' : 'response.read()';
  return `${imports}from urllib.request import ${names}


with ${request} as response:
    data = ${content}`;
}

/** Generates a sample of the call in each language. */
export function samplesOf(call: Call): { language: string; name: string; text: string }[] {
  return [
    { language: 'sh', name: 'curl', text: curl(call) },
    { language: 'ts', name: 'TypeScript', text: typescript(call) },
    { language: 'python', name: 'Python', text: python(call) },
  ];
}
