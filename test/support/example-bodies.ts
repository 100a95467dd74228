import { operationsOf, type OpenApiDocument } from '../../src/platform/openapi/document.ts';
import type { TestApp } from './app.ts';
import { TestClient } from './client.ts';

export interface ExampleBody {
  type: string;
  /** An object, or a text such as CSV. */
  body: object | string;
}

/** The example body of every operation in the API reference, by operation id. */
export async function exampleBodies(app: TestApp): Promise<Map<string, ExampleBody>> {
  const { text } = await new TestClient(app).get('/api/openapi.json');
  const document = JSON.parse(text) as OpenApiDocument;
  return new Map(
    operationsOf(document).flatMap(({ operationId = '', requestBody }) => {
      const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      const body = media?.example as object | string | null | undefined;
      return type === undefined || body == null ? [] : [[operationId, { type, body }] as const];
    }),
  );
}
