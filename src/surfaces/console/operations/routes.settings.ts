import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { leadsOn, sendPage } from '../../../platform/ui/page-scope.ts';
import { looks } from '../limits.ts';
import type { ConsoleRoutesOptions } from './routes.overview.ts';
import { HtmlPage } from '../schemas.ts';
import { settingsPage, type SettingsView } from './settings-page.ts';

/** Gives what may be shown of the configuration. */
export type SettingsSource = () => SettingsView;

/** The configuration in effect, for admins. It is read only: settings come from the environment. */
export const settingsPageRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & { settingsSource: SettingsSource }
> = async (app, { consoleLayout, viewerOf, settingsSource }) => {
  app.get(
    '/settings',
    {
      config: looks,
      schema: {
        operationId: 'console.settings',
        summary: 'The console: settings',
        tags: ['pages'],
        description:
          'The configuration in effect, where each value comes from, and which stores are in use. Secrets are never shown.',
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.'),
        },
      },
    },
    async (request, reply) =>
      sendPage(reply, consoleLayout(settingsPage(settingsSource()), viewerOf(request))),
  );
};
