import type { TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

interface GraphError {
  message: string;
  path?: (string | number)[];
  locations?: object[];
  extensions: { code: string; status: number; [name: string]: unknown };
}

/** The body of a response. */
export interface Result {
  data?: Record<string, unknown> | null;
  errors?: GraphError[];
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  data: Record<string, unknown> | null | undefined;
  errors: GraphError[];
}

export const path = '/api/graphql/';

interface Operation {
  variables?: Record<string, unknown>;
  operationName?: string;
  headers?: Record<string, string>;
}

/** Sends an operation by POST. */
export async function ask(
  app: TestApp,
  query: string,
  { headers = {}, ...operation }: Operation = {},
): Promise<Answer> {
  const {
    status,
    headers: answered,
    body,
  } = await new TestClient(app).as(headers).post<Result>(path, { query, ...operation });
  return { status, headers: answered, data: body.data, errors: body.errors ?? [] };
}

/** The distinct error codes of a response. */
export const codesOf = ({ errors }: Pick<Answer, 'errors'>): string[] => [
  ...new Set(errors.map(({ extensions }) => extensions.code)),
];

/** Sends operations with these headers. */
export function graphClient(app: TestApp, headers: Record<string, string> = {}) {
  return {
    /** Returns the data of a response without errors. */
    async data<Data = Record<string, unknown>>(
      query: string,
      variables: Record<string, unknown> = {},
    ): Promise<Data> {
      const { data, errors } = await ask(app, query, { headers, variables });
      if (errors.length > 0) throw new Error(JSON.stringify(errors));
      return data as Data;
    },

    /** Returns the distinct error codes of a response. */
    async codes(query: string, variables: Record<string, unknown> = {}): Promise<string[]> {
      return codesOf(await ask(app, query, { headers, variables }));
    },
  };
}

/** The global id of an object. */
export const nodeId = (text: string): string => Buffer.from(text).toString('base64url');

/** The Cookie header of a browser. */
export const cookieOf = ({ jar }: { jar: ReadonlyMap<string, string> }): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
