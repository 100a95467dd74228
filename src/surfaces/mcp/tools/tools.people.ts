import { z } from 'zod';
import { requestErrors } from '../../../platform/errors/errors.ts';
import type { DeviceView } from '../../../areas/blackops/schemas.ts';
import type { User } from '../../../areas/users/store.ts';
import type { Tool } from '../offer.ts';
import { defineTool, reads, type ToolDeps } from './tool.ts';

/** A session as the person sees it in their own list. */
export interface SessionFacts {
  id: string;
  via: string;
  client: string;
  amr: string[];
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

/** What other areas do for this tool. */
export interface PeopleSource {
  /** By the id, or by an address or number that is verified; undefined when there is nobody. */
  find: (asked: { user_id: string } | { identifier: string }) => Promise<User | undefined>;
  sessions: (userId: string) => Promise<SessionFacts[]>;
  devices: (userId: string) => Promise<DeviceView[]>;
}

const text = z.string().nullable();
const UserOut = z.object({
  id: z.string(),
  name: text,
  roles: z.array(z.string()),
  created_at: z.string(),
  disabled_at: text,
  ways: z
    .array(z.object({ kind: z.string(), value: z.string() }))
    .describe(
      'Verified ways to sign in: e-mail addresses, phone numbers, accounts of an identity provider.',
    ),
});
const SessionOut = z.object({
  id: z.string(),
  via: z.string(),
  client: z.string(),
  amr: z.array(z.string()),
  created_at: z.string(),
  last_used_at: z.string(),
  expires_at: z.string(),
});
const DeviceOut = z.object({
  device_id: z.string(),
  name: z.string(),
  state: z.string(),
  platform: text,
  os: text,
  browser: text,
  country: text,
  first_seen: z.string(),
  last_seen: z.string(),
});

const Asked = z.strictObject({
  user_id: z.uuid().optional().describe('As in the audit log and in device requests.'),
  identifier: z
    .string()
    .min(3)
    .max(320)
    .optional()
    .describe(
      'A verified e-mail address, or an international phone number, which starts with a plus sign.',
    ),
});

function toUserOut({
  id,
  name,
  roles,
  createdAt,
  disabledAt,
  identities,
}: User): z.input<typeof UserOut> {
  return {
    id,
    name,
    roles,
    created_at: createdAt.toISOString(),
    disabled_at: disabledAt?.toISOString() ?? null,
    ways: identities.map(({ kind, value }) => ({ kind, value })),
  };
}

/** People, for admins. */
export function peopleTools({ find, sessions, devices }: PeopleSource, deps: ToolDeps): Tool[] {
  return [
    defineTool(
      {
        name: 'get_user',
        title: 'A person, with sessions and devices',
        annotations: reads,
        scope: 'admin',
        description:
          'Who somebody is: ways to sign in, roles, open sessions and devices. Give user_id or identifier. It changes nothing: sessions are ended and devices suspended in the console.',
        input: Asked,
        output: z.object({
          user: UserOut,
          sessions: z.array(SessionOut),
          devices: z.array(DeviceOut),
        }),
        async run({ user_id: id, identifier = '' }) {
          if ((id === undefined) === (identifier === ''))
            throw requestErrors.invalid({ detail: 'Give either user_id or identifier.' });
          const user = await find(id === undefined ? { identifier } : { user_id: id });
          if (user === undefined)
            throw requestErrors.not_found({
              detail: 'There is no person with this id, address or number.',
            });
          const [open, known] = await Promise.all([sessions(user.id), devices(user.id)]);
          return { user: toUserOut(user), sessions: open, devices: known };
        },
      },
      deps,
    ),
  ];
}
