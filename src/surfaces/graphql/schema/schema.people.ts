import { SessionUser, SessionView } from '../../../areas/identity/sign-in/schemas.ts';
import { DeviceView } from '../../../areas/identity/devices/schemas.ts';
import { events } from '../../../areas/realtime/events.ts';
import { eventInterface } from './base-types.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

export const viewerEventInterface = eventInterface(
  'ViewerEvent',
  'A change of your account.',
  'Time of the event.',
);

const enumerations = [
  enumType(SessionUser.shape.roles.element, {
    name: 'Role',
    description: 'Role of a user in the console.',
    values: { admin: 'Full access.', viewer: 'Reads analytics.' },
  }),
  enumType(SessionUser.shape.acr, {
    name: 'AssuranceLevel',
    description: 'Authentication assurance level (NIST SP 800-63B).',
    values: { aal1: 'One factor.', aal2: 'Two factors.' },
  }),
  enumType(SessionView.shape.via, {
    name: 'SessionKind',
    description: 'The kind of credential a session uses.',
    values: { cookie: 'Browser cookie.', bearer: 'Bearer token.' },
  }),
  enumType(DeviceView.shape.state, {
    name: 'DeviceState',
    description: 'Approval state of a device.',
    values: {
      pending: 'Waiting for a decision.',
      cleared: 'Approved.',
      suspended: 'Suspended until it is restored.',
      denied: 'Denied.',
      expired: 'The approval has expired.',
      revoked: 'Removed.',
      unknown: 'Approval was not requested.',
    },
  }),
  enumType(DeviceView.shape.binding, {
    name: 'DeviceBinding',
    description: 'How a device proves its identity, from weakest to strongest.',
    values: {
      fingerprint: 'It does not prove it.',
      cookie: 'By its cookie.',
      key: 'By its key.',
      webauthn: 'By its key and a device-bound passkey.',
    },
  }),
];

const viewer = objectType(SessionUser, {
  name: 'Viewer',
  description: 'The current user, as OpenID Connect claims.',
  nodeId: 'id',
  fields: {
    id: { name: 'userId', description: 'Id in the REST API: the `sub` claim.' },
    sub: false,
    name: 'Full name, if known.',
    email: 'Verified email address.',
    email_verified: 'True if present: only verified values are stored.',
    phone_number: 'Verified phone number (E.164).',
    phone_number_verified: 'True if present: only verified values are stored.',
    picture: 'URL of a picture.',
    roles: 'Roles in the console.',
    amr: 'Authentication methods of the sign-in (RFC 8176).',
    acr: 'Authentication assurance level.',
    // An instant in GraphQL, seconds in OpenID Connect.
    auth_time: false,
    authenticated: false,
    session: false,
  },
});

const session = objectType(SessionView, {
  name: 'Session',
  description: 'One of your open sessions.',
  nodeId: 'id',
  fields: {
    id: { name: 'sessionId', description: 'Id in the REST API.' },
    current: 'Whether this is the current session.',
    via: 'Kind of credential.',
    amr: 'Authentication methods of the sign-in (RFC 8176).',
    created_at: 'Sign-in time.',
    last_used_at: 'Time of its last use, accurate to a minute.',
    expires_at: 'Latest expiry time.',
  },
});

const device = objectType(DeviceView, {
  name: 'Device',
  description: 'One of your devices.',
  nodeId: 'device_id',
  fields: {
    device_id: 'Id in the REST API.',
    name: 'Name.',
    state: 'Approval state.',
    binding: 'How the device proves its identity.',
    current: 'Whether this is the current device.',
    reasons: 'Reasons for the suspension.',
    platform: 'Type of device.',
    os: 'The system.',
    browser: 'Browser.',
    country: 'Country of its last use (ISO 3166-1 alpha-2).',
    first_seen: 'Time of its first use.',
    last_seen: 'Time of its last use.',
    cleared_at: 'Time of approval.',
    expires_at: 'Expiry of the approval.',
  },
});

const deviceReason = objectType(DeviceView.shape.reasons.element, {
  name: 'DeviceReason',
  description: 'Reason for a suspension.',
  fields: { code: 'Rule that suspended the device.', text: 'Explanation.' },
});

const viewerEvents = [
  objectType(events['session.revoked'].data, {
    name: 'SessionsEnded',
    description: 'One or more of your sessions were ended before they expired.',
    interfaces: ['ViewerEvent'],
    fields: {
      session_id: 'Session id in the REST API; null if there were several.',
      count: 'Number of ended sessions.',
    },
  }),
  objectType(events['device.updated'].data, {
    name: 'DeviceChanged',
    description: 'The state of one of your devices changed.',
    interfaces: ['ViewerEvent'],
    fields: {
      device_id: 'Device id in the REST API.',
      user_id: false,
      state: { type: 'DeviceState', description: 'New state.' },
      name: 'Name.',
      at: false,
    },
  }),
];

/** The types of the viewer with their sessions and devices. */
export const peopleTypes: readonly TypeDefinition[] = [
  ...enumerations,
  viewer,
  session,
  device,
  deviceReason,
  ...viewerEvents,
];

export const peopleSdl = `
extend type Query {
  """The current user, by session cookie or access token. 401 without one, and for API keys."""
  viewer: Viewer!
}

extend type Viewer {
  """Time of your last authentication."""
  authTime: DateTime!
  """Your active sessions, newest first."""
  sessions: [Session!]!
  """Your devices, most recently used first. Removed devices are not included."""
  devices: [Device!]!
}

extend type Session {
  """Device of the session, if known."""
  device: Device
}

"""Result of ending sessions."""
type EndSessionsPayload {
  """Number of ended sessions."""
  ended: Int!
}
`;
