import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  CreateComponentBody,
  UpdateComponentBody,
} from '../../../areas/status/components/schemas.components.ts';
import { toComponentView } from '../../../areas/status/views.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { asForm, FormValues, parseForm, requireWord } from '../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, innerPage } from '../route-options.ts';
import { done } from '../schemas.ts';
import { sectionPath } from '../sections.ts';
import { componentPage } from './component-page.tsx';
import { componentBody, newComponentBody } from './form-bodies.ts';
import { statusNotice } from './notices.tsx';
import { texts } from './texts/en.ts';

const Params = z.object({ id: z.string().max(64) });

const componentPath = (id: string): string => `${sectionPath('status')}/components/${id}`;

function componentPageRoute(
  app: ConsoleScope,
  { services: { status }, viewerOf, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/status/components/:id',
    innerPage('console.component', 'The console: one component', {
      params: Params,
      querystring: z.object({ done }),
    }),
    async (request, reply) => {
      const { id } = request.params;
      const viewer = viewerOf(request);
      const record = status.records().find((each) => each.id === id);
      if (record === undefined) throw requestErrors.not_found({ detail: texts.noComponent });
      const state = status.state().components.find((each) => each.id === id);
      const component = toComponentView(record, state);
      // Targets may be addresses of an internal network.
      const view = {
        component: viewer.isAdmin ? component : { ...component, target: null },
        state,
      };
      return send(reply, componentPage(view, viewer, statusNotice(request.query.done)));
    },
  );
}

function createComponentRoute(
  app: ConsoleScope,
  { services: { status } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/components',
    form('console.create_component', 'Form: add a check', { body: FormValues }),
    async (request, reply) => {
      const body = parseForm(CreateComponentBody, newComponentBody(request.body));
      const { id } = await asForm(() => status.components.create(body, requestActor(request)));
      return redirectTo(reply, componentPath(id), { done: 'component_added' });
    },
  );
}

function updateComponentRoute(
  app: ConsoleScope,
  { services: { status } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/components/:id',
    form('console.update_component', 'Form: change a component', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      const { id } = request.params;
      const change = parseForm(UpdateComponentBody, componentBody(request.body));
      await asForm(() => status.components.update(id, change, requestActor(request)));
      return redirectTo(reply, componentPath(id), { done: 'component_changed' });
    },
  );
}

function deleteComponentRoute(
  app: ConsoleScope,
  { services: { status } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/components/:id/archive',
    form('console.delete_component', 'Form: archive a check', {
      params: Params,
      body: FormValues,
    }),
    async (request, reply) => {
      const { id } = request.params;
      requireWord(request.body, id);
      await status.components.delete(id, requestActor(request));
      return redirectTo(reply, sectionPath('status'), { done: 'component_archived' });
    },
  );
}

/** One component, for everybody with a role. */
export const componentPageRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  componentPageRoute(app, options);
};

/** Forms for components, for admins. */
export const componentFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  createComponentRoute(app, options);
  updateComponentRoute(app, options);
  deleteComponentRoute(app, options);
};
