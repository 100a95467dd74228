import type { RequiredAccess } from '../execution/root-access.ts';

/** What is known of a field before it is resolved, as its `extensions`. */
export interface FieldFacts {
  /** Its cost, because it queries a store. */
  cost: number;
  /** The access that a root field requires. */
  access?: RequiredAccess;
}

/** Of the fields that are written by hand, by `Type.field`. */
export const fieldFacts: Readonly<Record<string, FieldFacts>> = {
  'Query.dashboard': { cost: 3500, access: 'reader' },
  'Query.sites': { cost: 500, access: 'reader' },
  'Query.audit': { cost: 100, access: 'admin' },
  'Query.apiKeys': { cost: 100, access: 'admin' },
  'Query.node': { cost: 100 },
  'Query.viewer': { cost: 20 },
  'Query.health': { cost: 20 },
  'AuditActor.apiKey': { cost: 5 },
  'Viewer.sessions': { cost: 20 },
  'Viewer.devices': { cost: 20 },
  'Session.device': { cost: 5 },
  'Mutation.createIncident': { cost: 500, access: 'admin' },
  'Mutation.updateIncident': { cost: 500, access: 'admin' },
  'Mutation.resolveIncident': { cost: 500, access: 'admin' },
  'Mutation.createApiKey': { cost: 500, access: 'admin' },
  'Mutation.revokeApiKey': { cost: 500, access: 'admin' },
  'Mutation.endSession': { cost: 100, access: 'session' },
  'Mutation.endSessions': { cost: 500, access: 'session' },
};
