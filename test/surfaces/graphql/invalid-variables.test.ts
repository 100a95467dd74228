import { type GraphQLSchema, introspectionFromSchema } from 'graphql/index.js';
import { expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { fieldFacts } from '../../../src/surfaces/graphql/schema/field-facts.ts';
import { asAdmin } from '../../support/app.ts';
import { ask, codesOf, graphClient } from './graphql-client.ts';

const app = await sharedApp();

/** Calls of all restricted root fields. */
const calls: Record<string, string> = {
  'query.audit': 'audit',
  'query.apiKeys': 'apiKeys',
  'query.sites': 'sites',
  'query.dashboard': 'dashboard(siteId: "x")',
  'mutation.createIncident': 'createIncident(input: { name: "x", body: "x" })',
  'mutation.updateIncident': 'updateIncident(input: { id: "x", status: identified, body: "x" })',
  'mutation.resolveIncident': 'resolveIncident(id: "x", body: "x")',
  'mutation.createApiKey': 'createApiKey(input: { name: "x", scopes: [ADMIN] })',
  'mutation.revokeApiKey': 'revokeApiKey(id: "x")',
  'mutation.endSession': 'endSession(id: "x")',
  'mutation.endSessions': 'endSessions',
};
/** Calls of the fields of a resource, as all resources have them. */
const resourceCalls: Record<string, string> = {
  'query.users': 'users',
  'query.user': 'user(id: "x")',
  'mutation.createUser': 'createUser(input: { email: "x" })',
  'mutation.updateUser': 'updateUser(id: "x", input: {})',
  'mutation.deleteUser': 'deleteUser(id: "x")',
};
const openQueries = ['hello', 'version', 'node', 'health', 'viewer', 'status'];
const openLists = [
  'components',
  'component',
  'incidents',
  'incident',
  'maintenances',
  'maintenance',
];
const openToAll = [...openQueries, ...openLists].map((name) => `query.${name}`);

const invalidVariables = { v: 'no-truth-value' };
const typeOf = (kind: string): string => (kind === 'query' ? 'Query' : 'Mutation');

it.each(Object.entries({ ...calls, ...resourceCalls }))(
  '%s: errors of variables are hidden from callers without access',
  async (name, call) => {
    const [kind = ''] = name.split('.');
    const field = `${call} @include(if: $v) { __typename }`;
    for (const document of [
      `${kind} ($v: Boolean!) { ${field} }`,
      `${kind} ($v: Boolean!) { ... { ...f } } fragment f on ${typeOf(kind)} { ${field} }`,
    ]) {
      const answer = await ask(app, document, { variables: invalidVariables });
      expect(answer.status).toBe(401);
      expect(codesOf(answer)).toEqual(['request.unauthenticated']);
      expect(JSON.stringify(answer.errors)).not.toContain(invalidVariables.v);
    }
  },
);

it('errors of variables are shown to admins, and to everyone for public queries', async () => {
  const audit = 'query ($v: Boolean!) { audit @include(if: $v) { __typename } }';
  expect(await graphClient(app, asAdmin).codes(audit, invalidVariables)).toEqual([
    'graphql.variables',
  ]);
  const version = 'query ($v: Boolean!) { version @include(if: $v) }';
  expect(await graphClient(app).codes(version, invalidVariables)).toEqual(['graphql.variables']);
});

/** The access that a field requires. */
function accessOf(schema: GraphQLSchema, name: string): unknown {
  const [kind = '', field = ''] = name.split('.');
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return type?.getFields()[field]?.extensions.access;
}

it('every root field is either public or listed as restricted', async () => {
  const { schema } = await app.services.graphql.engine();
  const { types } = introspectionFromSchema(schema).__schema;
  const names = ['query', 'mutation'].flatMap((kind) => {
    const type = types.find((each) => each.name === typeOf(kind));
    return type?.kind === 'OBJECT' ? type.fields.map((field) => `${kind}.${field.name}`) : [];
  });
  const byHand = Object.keys(fieldFacts).filter((name) => fieldFacts[name]?.access !== undefined);
  expect(byHand.map((name) => name.replace(/^./, (first) => first.toLowerCase())).sort()).toEqual(
    Object.keys(calls).sort(),
  );
  expect(
    names.filter((name) => accessOf(schema, name) === undefined && !openToAll.includes(name)),
  ).toEqual([]);
});
