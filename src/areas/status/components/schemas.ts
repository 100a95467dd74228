import { z } from 'zod';
import { componentStatuses } from '../model.ts';
import { targetProblem } from './targets.ts';
import { trimmedLine } from '../../../platform/validation/text-schemas.ts';
import { name, time } from '../schemas.fields.ts';
import { settingsSchema } from './store.ts';

const id = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single dashes')
  .meta({ examples: ['api'] });

export const ComponentParams = z.object({ id });

/** Fields that both creating and updating may set. */
const editableFields = z
  .object({
    name,
    description: trimmedLine(500).nullable(),
    group: trimmedLine(100).min(1).nullable().describe('Heading the component is listed under.'),
    position: z.int().min(0).max(10_000).describe('Sort order, ascending.'),
    only_show_if_degraded: z
      .boolean()
      .describe('Hide the component on the status page while it is operational.'),
  })
  .partial().shape;

const {
  interval_s: interval,
  timeout_ms: timeout,
  expected_status: expected,
} = settingsSchema.shape;
const settings = z
  .strictObject({
    interval_s: interval.optional().describe('Seconds between two checks. Default 60.'),
    timeout_ms: timeout
      .optional()
      .describe(
        'Timeout in milliseconds. A response that takes longer than half the timeout ' +
          'counts as slow. Default 10000.',
      ),
    expected_status: expected
      .optional()
      .describe('HTTP status codes that count as success. Default and null: 200 to 399.'),
  })
  .optional();
export type SettingsBody = z.output<typeof settings>;

const source = z.enum(['http', 'tcp']);
const target = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .describe(
    'An http or https URL for `http`, `host:port` for `tcp`. Link-local addresses ' +
      '(169.254/16, fe80::/10) and cloud metadata addresses are rejected, including ' +
      'names that resolve to them.',
  );

export const CreateComponentBody = z
  .strictObject({
    ...editableFields,
    id: id.optional().describe('Used in URLs. Default: derived from the name.'),
    name,
    source,
    target,
    settings,
  })
  .superRefine(({ source: kind, target: place }, context) => {
    const message = targetProblem(kind, place);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['target'], message });
  })
  .meta({
    id: 'CreateStatusComponent',
    examples: [
      {
        name: 'Shop',
        source: 'http',
        target: 'https://shop.example.com/health',
        group: 'Sites',
        settings: { interval_s: 60, expected_status: [200] },
      },
    ],
  });
export type CreateComponentBody = z.output<typeof CreateComponentBody>;

export const UpdateComponentBody = z
  .strictObject({ ...editableFields, target: target.optional(), settings })
  .meta({
    id: 'UpdateStatusComponent',
    examples: [{ name: 'Online shop', position: 2 }],
  });
export type UpdateComponentBody = z.output<typeof UpdateComponentBody>;

export const ComponentView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    group: z.string().nullable(),
    position: z.int(),
    status: z.enum(componentStatuses),
    source: z
      .enum(['builtin', 'http', 'tcp'])
      .describe('`builtin`: checked by the service itself.'),
    target: z.string().nullable(),
    settings: z
      .object({
        interval_s: z.int(),
        timeout_ms: z.int(),
        expected_status: z.array(z.int()).nullable(),
      })
      .nullable()
      .describe('Null for built-in components.'),
    only_show_if_degraded: z.boolean(),
    uptime: z.number().nullable().describe('Percentage over 90 days.'),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'AdminStatusComponent',
    description: 'The component.',
    examples: [
      {
        id: 'shop',
        name: 'Shop',
        description: null,
        group: 'Sites',
        position: 1,
        status: 'operational',
        source: 'http',
        target: 'https://shop.example.com/health',
        settings: { interval_s: 60, timeout_ms: 10_000, expected_status: [200] },
        only_show_if_degraded: false,
        uptime: 99.98,
        created_at: '2026-05-04T09:30:00.000Z',
        updated_at: '2026-05-04T10:15:00.000Z',
      },
    ],
  });
export type ComponentView = z.output<typeof ComponentView>;
export const ComponentList = z.object({ data: z.array(ComponentView), total: z.int() }).meta({
  id: 'AdminStatusComponentList',
  description: 'The components of the status page, including hidden ones.',
});
