import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestErrors } from '../../platform/errors/errors.ts';
import type { Development } from '../../platform/http/development.ts';
import { configurePageScope } from '../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../platform/ui/pages.tsx';
import { componentsPage, componentsPath } from './components-page.tsx';
import type { Project } from './example-list.tsx';
import { texts } from './texts/en.ts';

export interface ComponentsRoutesOptions {
  layout: Layout;
  development: Pick<Development, 'isOn' | 'allows'>;
}

const projects: readonly Project[] = [
  { name: 'Shop', owner: 'Ada Lovelace', isActive: true },
  { name: 'Blog', owner: 'Grace Hopper', isActive: true },
  { name: 'Old shop', owner: 'Ada Lovelace', isActive: false },
];

const Query = z.object({ q: z.string().max(200).default('') });

/** All components on one page, in development only. Elsewhere the path responds 404. */
export const componentsRoutes: FastifyPluginAsyncZod<ComponentsRoutesOptions> = async (
  app,
  { layout, development },
) => {
  if (!development.isOn) return;
  configurePageScope(app, { layout, back: { href: '/', text: texts.page.goHome } });
  const schema = {
    operationId: 'pages.show_components',
    summary: 'Component gallery page',
    tags: ['pages'],
    hide: true,
    querystring: Query,
  };
  app.get(componentsPath, { schema }, async (request, reply) => {
    if (!development.allows(request)) throw requestErrors.not_found();
    const { q: query } = request.query;
    const found = projects.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
    const list = { projects: found, query, total: projects.length };
    return sendPage(reply, layout(componentsPage(list)));
  });
};
