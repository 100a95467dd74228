import type { BoundResource } from '../platform/resource/resource.ts';

/** The services whose resources the surfaces offer. */
export interface ResourceServices {
  users: unknown;
}

/** Every resource, in the order of lists. GraphQL, MCP and the console are made from it. */
export const listResources = (_services: ResourceServices): readonly BoundResource[] => [];
