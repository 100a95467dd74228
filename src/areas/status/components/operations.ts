import { operationsOf } from '../../../platform/operations/operation.ts';
import type { StatusContext } from '../compose.ts';
import { DeletedView } from '../schemas.fields.ts';
import { toComponentView } from './views.ts';
import {
  ComponentList,
  ComponentParams,
  ComponentView,
  CreateComponentBody,
  UpdateComponentBody,
} from './schemas.ts';

const operation = operationsOf<StatusContext>({ scope: 'admin', tag: 'status' });

type ComponentRecord = ReturnType<StatusContext['status']['records']>[number];

/** The stored component with its public state. */
const toView = ({ status }: StatusContext, record: ComponentRecord): ComponentView =>
  toComponentView(
    record,
    status.state().components.find(({ id }) => id === record.id),
  );

/** Components of the status page. */
export const componentOperations = [
  operation({
    id: 'status.list_components',
    path: 'GET /api/v1/status/components',
    summary: 'List status components',
    description: 'In display order. Archived components are not included.',
    output: ComponentList,
    run(context) {
      const data = context.status.records().map((record) => toView(context, record));
      return { data, total: data.length };
    },
  }),
  operation({
    id: 'status.create_component',
    path: 'POST /api/v1/status/components',
    on: ['graphql', 'mcp'],
    summary: 'Create a component',
    description:
      'Checks start immediately. Two failures in a row count as an outage; two ' +
      'responses in a row slower than half the timeout count as degraded ' +
      'performance.',
    body: CreateComponentBody,
    output: ComponentView,
    errors: ['status.component_exists', 'status.too_many_components'],
    run: async (context, body, { by }) =>
      toView(context, await context.status.components.create(body, by)),
  }),
  operation({
    id: 'status.update_component',
    path: 'PATCH /api/v1/status/components/:id',
    on: ['graphql', 'mcp'],
    summary: 'Update a component',
    description:
      'Omitted fields stay unchanged. The target and settings of built-in ' +
      'components cannot be changed.',
    params: ComponentParams,
    body: UpdateComponentBody,
    output: ComponentView,
    errors: ['status.component_not_found', 'status.component_builtin'],
    run: async (context, { id, ...changes }, { by }) =>
      toView(context, await context.status.components.update(id, changes, by)),
  }),
  operation({
    id: 'status.delete_component',
    path: 'DELETE /api/v1/status/components/:id',
    on: ['graphql', 'mcp'],
    summary: 'Delete a component',
    description:
      'Archives the component; its id stays reserved. Built-in components cannot be deleted.',
    params: ComponentParams,
    output: DeletedView,
    errors: ['status.component_not_found', 'status.component_builtin'],
    async run({ status }, { id }, { by }) {
      await status.components.delete(id, by);
      return { deleted: true as const, id };
    },
  }),
];
