import type { TestApp } from '../../support/app.ts';

interface GraphError {
  message: string;
  path?: (string | number)[];
  locations?: object[];
  extensions: { code: string; status: number; [name: string]: unknown };
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  data: Record<string, unknown> | null | undefined;
  errors: GraphError[];
}

export const path = '/api/graphql/';

/** Sends an operation by POST. */
export async function ask(
  app: Pick<TestApp, 'http'>,
  query: string,
  {
    variables,
    operationName,
    headers = {},
  }: {
    variables?: Record<string, unknown>;
    operationName?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const answer = await app.http.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ query, variables, operationName }),
  });
  const { data, errors = [] } = answer.json<{
    data?: Record<string, unknown> | null;
    errors?: GraphError[];
  }>();
  return { status: answer.statusCode, headers: answer.headers, data, errors };
}

/** The distinct error codes of a response. */
export const codesOf = ({ errors }: Answer): string[] => [
  ...new Set(errors.map(({ extensions }) => extensions.code)),
];
