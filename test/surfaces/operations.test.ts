import { describe, expect, it } from 'vitest';
import { asAdmin } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { ask as askGraphql, codesOf } from './graphql/graphql-client.ts';
import { mcpClient } from './mcp/client.ts';

const components = '/api/v1/status/components';

const app = await sharedApp('plain');

const listed = async (): Promise<string[]> => {
  const { body } = await new TestClient(app)
    .as(asAdmin)
    .get<{ data: { name: string }[] }>(components);
  return body.data.map(({ name }) => name);
};

const graphql = (query: string, variables: object, headers: Record<string, string> = asAdmin) =>
  askGraphql(app, query, { headers, variables: { ...variables } });

const createQuery = `mutation ($input: CreateComponentInput!) {
  createComponent(input: $input) { id name status settings { timeoutMs } }
}`;
const updateQuery = `mutation ($id: ID!, $input: UpdateComponentInput) {
  updateComponent(id: $id, input: $input) { id name position }
}`;

describe('an operation', () => {
  it('does the same by REST, GraphQL and MCP', async () => {
    const target = { source: 'tcp', target: 'db.example:5432' };
    const byGraphql = await graphql(createQuery, { input: { name: 'By GraphQL', ...target } });
    expect(byGraphql.data).toEqual({
      createComponent: {
        id: 'by-graphql',
        name: 'By GraphQL',
        status: 'operational',
        settings: { timeoutMs: 10_000 },
      },
    });
    const mcp = mcpClient(app, asAdmin);
    const byMcp = await mcp.call('create_component', { name: 'By MCP', ...target });
    expect(byMcp.structuredContent).toMatchObject({ id: 'by-mcp', name: 'By MCP' });
    const byRest = await new TestClient(app)
      .as(asAdmin)
      .post(components, { name: 'By REST', ...target });
    expect(byRest).toMatchObject({ status: 200, body: { id: 'by-rest' } });
    expect(await listed()).toEqual(expect.arrayContaining(['By GraphQL', 'By MCP', 'By REST']));
  });

  it('takes path parameters beside its values, also as global ids', async () => {
    const input = { name: 'Moved', source: 'tcp', target: 'mail.example:25' };
    await graphql(createQuery, { input });
    const { data } = await graphql('{ components { id componentId } }', {});
    const all = (data?.components ?? []) as { id: string; componentId: string }[];
    const globalId = all.find(({ componentId }) => componentId === 'moved')?.id;
    const moved = await graphql(updateQuery, { id: globalId, input: { position: 7 } });
    expect(moved.data).toEqual({ updateComponent: { id: 'moved', name: 'Moved', position: 7 } });
    const gone = await mcpClient(app, asAdmin).call('delete_component', { id: 'moved' });
    expect(gone.structuredContent).toEqual({ deleted: true, id: 'moved' });
    expect(await listed()).not.toContain('Moved');
  });

  it('is checked by all of its schemas, and refused changes change nothing', async () => {
    const before = await listed();
    const input = { name: 'Metadata', source: 'http', target: 'http://169.254.169.254/' };
    const { errors } = await graphql(createQuery, { input });
    expect(errors[0]?.extensions.status).toBe(422);
    const { content } = await mcpClient(app, asAdmin).call('create_component', input);
    expect(content[0]?.text).toMatch(/are invalid.*target/s);
    const unknown = await mcpClient(app, asAdmin).call('delete_component', {
      id: 'metadata',
      force: true,
    });
    expect(unknown.content[0]?.text).toContain('force');
    expect(await listed()).toEqual(before);
  });

  it('is refused without its scope', async () => {
    const before = await listed();
    const input = { name: 'Mine', source: 'tcp', target: 'db.example:5432' };
    const refused = await graphql(createQuery, { input }, {});
    expect(codesOf(refused)).toEqual(['request.unauthenticated']);
    expect(await listed()).toEqual(before);
  });
});
