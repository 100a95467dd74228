import type { Tool } from '../catalogue.ts';
import type { ToolServices } from './services.ts';
import type { ToolOptions } from './tool.ts';
import { adminTools } from './tools.admin.ts';
import { analyticsTools } from './tools.analytics.ts';
import { docsTools } from './tools.docs.ts';
import { operationTools } from './tools.operations.ts';
import { peopleTools } from './tools.people.ts';
import { placeTools } from './tools.places.ts';
import { resourceTools } from './tools.resources.ts';
import { statusTools } from './tools.status.ts';

/** Every tool, in the order in which they are listed. */
export function createTools(services: ToolServices, options: ToolOptions): Tool[] {
  const tools = [
    ...statusTools(services),
    ...analyticsTools(services),
    ...docsTools(services),
    ...placeTools(services),
    ...adminTools(services),
    ...peopleTools(services),
  ].map((create) => create(options));
  const ofOperations = operationTools(services.operationList).map((create) => create(options));
  const names = new Set(tools.map(({ definition }) => definition.name));
  const generated = resourceTools(services.resourceList).map((create) => create(options));
  // A tool written by hand replaces the generated one, such as `get_user`.
  return [
    ...tools,
    ...ofOperations,
    ...generated.filter(({ definition }) => !names.has(definition.name)),
  ];
}
