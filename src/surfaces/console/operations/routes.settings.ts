import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { page } from '../route-options.ts';
import { createSettingsView } from './settings.ts';
import { settingsPage } from './settings-page.tsx';

/** The effective configuration, for admins. Read-only: settings come from the environment. */
export const settingsRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  const settingsView = createSettingsView(options);
  app.get(
    '/api/svc/console/settings',
    page('console.settings', 'Console: settings', {
      description:
        'The current configuration, the source of each value, and the stores in use. ' +
        'Secrets are never shown.',
    }),
    async (_request, reply) => options.send(reply, settingsPage(settingsView())),
  );
};
