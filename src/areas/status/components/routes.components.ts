import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { DeletedView } from '../schemas.fields.ts';
import type { Status } from '../service.ts';
import { toComponentView } from '../views.ts';
import {
  ComponentList,
  ComponentParams,
  ComponentView,
  CreateComponentBody,
  UpdateComponentBody,
} from './schemas.components.ts';

export interface ComponentRoutesOptions {
  status: Pick<Status, 'components' | 'records' | 'state'>;
}

type ComponentRecord = ReturnType<Status['records']>[number];

const tags = ['status'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

/** Combines the stored component with its public state. */
function toView({ status }: ComponentRoutesOptions, record: ComponentRecord): ComponentView {
  return toComponentView(
    record,
    status.state().components.find(({ id }) => id === record.id),
  );
}

function listComponents(app: ZodApp, options: ComponentRoutesOptions): void {
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'status.list_components',
        summary: 'List status components',
        description: 'In display order. Archived components are not included.',
        tags,
        response: { 200: ComponentList },
      },
    },
    async () => {
      const data = options.status.records().map((record) => toView(options, record));
      return { data, total: data.length };
    },
  );
}

function createComponent(app: ZodApp, options: ComponentRoutesOptions): void {
  app.post(
    '/',
    {
      config,
      schema: {
        operationId: 'status.create_component',
        summary: 'Create a component',
        description:
          'Checks start immediately. Two failures in a row count as an outage; two ' +
          'responses in a row slower than half the timeout count as degraded ' +
          'performance.',
        tags,
        body: CreateComponentBody,
        errors: ['status.component_exists', 'status.too_many_components'],
        response: { 200: ComponentView },
      },
    },
    async (request) =>
      toView(options, await options.status.components.create(request.body, requestActor(request))),
  );
}

function updateComponent(app: ZodApp, options: ComponentRoutesOptions): void {
  app.patch(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.update_component',
        summary: 'Update a component',
        description:
          'Omitted fields stay unchanged. The target and settings of built-in ' +
          'components cannot be changed.',
        tags,
        params: ComponentParams,
        body: UpdateComponentBody,
        errors: ['status.component_not_found', 'status.component_builtin'],
        response: { 200: ComponentView },
      },
    },
    async (request) => {
      const { params, body } = request;
      const { components } = options.status;
      return toView(options, await components.update(params.id, body, requestActor(request)));
    },
  );
}

function deleteComponent(app: ZodApp, { status }: ComponentRoutesOptions): void {
  app.delete(
    '/:id',
    {
      config,
      schema: {
        operationId: 'status.delete_component',
        summary: 'Delete a component',
        description:
          'Archives the component; its id stays reserved. Built-in components cannot be deleted.',
        tags,
        params: ComponentParams,
        errors: ['status.component_not_found', 'status.component_builtin'],
        response: { 200: DeletedView },
      },
    },
    async (request) => {
      const { id } = request.params;
      await status.components.delete(id, requestActor(request));
      return { deleted: true as const, id };
    },
  );
}

/** Admin routes for the components of the status page. */
export const componentRoutes: FastifyPluginAsyncZod<ComponentRoutesOptions> = async (
  app,
  options,
) => {
  listComponents(app, options);
  createComponent(app, options);
  updateComponent(app, options);
  deleteComponent(app, options);
};
