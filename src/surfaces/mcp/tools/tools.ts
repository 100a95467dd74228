import type { Tool } from '../catalogue.ts';
import type { ToolServices } from './services.ts';
import type { ToolOptions } from './tool.ts';
import { adminTools } from './tools.admin.ts';
import { analyticsTools } from './tools.analytics.ts';
import { docsTools } from './tools.docs.ts';
import { peopleTools } from './tools.people.ts';
import { placeTools } from './tools.places.ts';
import { resourceTools } from './tools.resources.ts';
import { statusTools } from './tools.status.ts';

/** Every tool, in the order in which they are listed. */
export const createTools = (services: ToolServices, options: ToolOptions): Tool[] =>
  [
    ...statusTools(services),
    ...analyticsTools(services),
    ...docsTools(services),
    ...placeTools(services),
    ...adminTools(services),
    ...peopleTools(services),
    ...resourceTools(services.resourceList),
  ].map((create) => create(options));
