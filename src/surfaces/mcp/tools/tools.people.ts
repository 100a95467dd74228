import { z } from 'zod';
import { SessionView } from '../../../areas/identity/sign-in/schemas.ts';
import { toSessionView } from '../../../areas/identity/sign-in/views.ts';
import { DeviceView } from '../../../areas/identity/devices/schemas.ts';
import { toDeviceView } from '../../../areas/identity/devices/views.ts';
import { anyIdentifier } from '../../../lib/identifiers.ts';
import type { User } from '../../../areas/identity/users/model.ts';
import { requestErrors, undefinedIfMissing } from '../../../platform/errors/errors.ts';
import type { McpServices } from '../context.ts';
import { type CreateTool, defineTool, readOnly } from './tool.ts';

const UserOut = z.object({
  id: z.string(),
  name: z.string().nullable(),
  roles: z.array(z.string()),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  ways: z
    .array(z.object({ kind: z.string(), value: z.string() }))
    .describe(
      'Verified sign-in methods: email addresses, phone numbers and accounts at an ' +
        'identity provider.',
    ),
});
const DeviceOut = DeviceView.pick({
  device_id: true,
  name: true,
  state: true,
  platform: true,
  os: true,
  browser: true,
  country: true,
  first_seen: true,
  last_seen: true,
});

const Input = z.strictObject({
  user_id: z.uuid().optional().describe('User id, as in the audit log and in approval requests.'),
  identifier: z
    .string()
    .min(3)
    .max(320)
    .optional()
    .describe(
      'A verified email address, or an international phone number starting with a plus sign.',
    ),
});

function toUserOut(user: User): z.input<typeof UserOut> {
  const { id, name, roles, createdAt, disabledAt, identities } = user;
  return {
    id,
    name,
    roles,
    created_at: createdAt.toISOString(),
    disabled_at: disabledAt?.toISOString() ?? null,
    ways: identities.map(({ kind, value }) => ({ kind, value })),
  };
}

/** Finds the user with a verified email address or phone number; undefined if there is none. */
async function findByIdentifier(
  users: McpServices['users'],
  text: string,
): Promise<User | undefined> {
  const identifier = await anyIdentifier(text);
  return identifier === undefined ? undefined : users.ownerOf(identifier);
}

const getUser = ({ users, sessions, devices }: McpServices): CreateTool =>
  defineTool({
    name: 'get_user',
    title: 'Find a user, including sessions and devices',
    annotations: readOnly,
    scope: 'admin',
    description:
      'Returns the sign-in methods, roles, open sessions and devices of a user. Pass ' +
      'user_id or identifier. Read-only: to end sessions or suspend devices, use the ' +
      'console.',
    input: Input,
    output: z.object({
      user: UserOut,
      sessions: z.array(SessionView.omit({ current: true })),
      devices: z.array(DeviceOut),
    }),
    async run({ user_id: id, identifier = '' }) {
      if ((id === undefined) === (identifier === ''))
        throw requestErrors.invalid({ detail: 'Pass either user_id or identifier.' });
      const user = await (id === undefined
        ? findByIdentifier(users, identifier)
        : undefinedIfMissing(users.get(id)));
      if (user === undefined)
        throw requestErrors.not_found({
          detail: 'No user has this id, email address or phone number.',
        });
      const [open, known] = await Promise.all([
        sessions.list(user.id),
        devices.management.listByUser(user.id),
      ]);
      return {
        user: toUserOut(user),
        sessions: open.map((session) => toSessionView(session, '')),
        devices: known.map((device) => toDeviceView(device, undefined)),
      };
    },
  });

/** Users, for admins. */
export const peopleTools = (services: McpServices): CreateTool[] => [getUser(services)];
