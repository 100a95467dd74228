import type { Tool } from '../catalogue.ts';
import type { McpServices } from '../context.ts';
import { adminTools } from './tools.admin.ts';
import { analyticsTools } from './tools.analytics.ts';
import { docsTools } from './tools.docs.ts';
import { operationTools } from './tools.operations.ts';
import { peopleTools } from './tools.people.ts';
import { placeTools } from './tools.places.ts';
import { resourceTools } from './tools.resources.ts';
import { statusTools } from './tools.status.ts';

/** Every tool, in the order in which they are listed. */
export function createTools(services: McpServices): Tool[] {
  const tools = [
    ...statusTools(services),
    ...analyticsTools(services),
    ...docsTools(services),
    ...placeTools(services),
    ...adminTools(services),
    ...peopleTools(services),
    ...operationTools(services.operationList),
    ...resourceTools(services.resourceList),
  ].map((create) => create(services.logger));
  // A tool written by hand replaces the generated one, such as `get_user`.
  const byName = new Map(tools.toReversed().map((tool) => [tool.definition.name, tool]));
  return tools.filter((tool) => byName.get(tool.definition.name) === tool);
}
