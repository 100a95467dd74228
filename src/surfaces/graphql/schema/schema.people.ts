import { SessionUser, SessionView } from '../../../areas/auth/schemas.ts';
import { DeviceView } from '../../../areas/blackops/schemas.ts';
import { events } from '../../../areas/realtime/events.ts';
import { eventInterface } from './base-types.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

export const viewerEventInterface = eventInterface(
  'ViewerEvent',
  'Something that concerns you.',
  'When it was.',
);

const enumerations = [
  enumType(SessionUser.shape.roles.element, {
    name: 'Role',
    description: 'What a person may do in the console.',
    values: { admin: 'Everything.', viewer: 'Read figures.' },
  }),
  enumType(SessionUser.shape.acr, {
    name: 'AssuranceLevel',
    description: 'How sure it is that it is you (NIST SP 800-63B).',
    values: { aal1: 'One factor.', aal2: 'Two factors.' },
  }),
  enumType(SessionView.shape.via, {
    name: 'SessionKind',
    description: 'How a session is held.',
    values: { cookie: "By a browser's cookie.", bearer: 'By a bearer token.' },
  }),
  enumType(DeviceView.shape.state, {
    name: 'DeviceState',
    description: 'Whether a device may do what admins do.',
    values: {
      pending: 'Nobody has decided yet.',
      cleared: 'It may.',
      suspended: 'It may not until it is restored.',
      denied: 'It was refused.',
      expired: 'Its clearance is over.',
      revoked: 'It was removed.',
      unknown: 'It has not asked.',
    },
  }),
  enumType(DeviceView.shape.binding, {
    name: 'DeviceBinding',
    description: 'What a device proves, from weakest to strongest.',
    values: {
      fingerprint: 'Nothing.',
      cookie: 'That it has its cookie.',
      key: 'That it has its key.',
      webauthn: 'That it has its key, and a passkey in the device.',
    },
  }),
];

const viewer = objectType(SessionUser, {
  name: 'Viewer',
  description: 'The person who asks, as OpenID Connect claims.',
  nodeId: 'id',
  fields: {
    id: { name: 'userId', description: 'The id in the REST API: the claim `sub`.' },
    sub: false,
    name: 'Full name, if it is known.',
    email: 'Verified e-mail address.',
    email_verified: 'True when there is one: only verified ones are kept.',
    phone_number: 'Verified phone number (E.164).',
    phone_number_verified: 'True when there is one: only verified ones are kept.',
    picture: 'Address of a picture.',
    roles: 'What you may do in the console.',
    amr: 'How you signed in (RFC 8176).',
    acr: 'How sure it is that it is you.',
    // An instant in GraphQL, seconds in OpenID Connect.
    auth_time: false,
    authenticated: false,
    session: false,
  },
});

const session = objectType(SessionView, {
  name: 'Session',
  description: 'A session of yours that is open.',
  nodeId: 'id',
  fields: {
    id: { name: 'sessionId', description: 'The id in the REST API.' },
    current: 'The session of this request.',
    via: 'How it is held.',
    amr: 'How the sign-in was proved (RFC 8176).',
    created_at: 'When you signed in.',
    last_used_at: 'When it was last used, exact to a minute.',
    expires_at: 'When it ends at the latest.',
  },
});

const device = objectType(DeviceView, {
  name: 'Device',
  description: 'A device of yours.',
  nodeId: 'device_id',
  fields: {
    device_id: 'The id in the REST API.',
    name: 'What people call it.',
    state: 'Whether it may do what admins do.',
    binding: 'What it proves.',
    current: 'The device of this request.',
    reasons: 'Why it is suspended.',
    platform: 'The kind of machine.',
    os: 'The system.',
    browser: 'The browser.',
    country: 'Where it was seen last (ISO 3166-1 alpha-2).',
    first_seen: 'When it was first seen.',
    last_seen: 'When it was last seen.',
    cleared_at: 'When it was cleared.',
    expires_at: 'When its clearance is over.',
  },
});

const deviceReason = objectType(DeviceView.shape.reasons.element, {
  name: 'DeviceReason',
  description: 'Why a device is suspended.',
  fields: { code: 'The rule.', text: 'The same in plain words.' },
});

const viewerEvents = [
  objectType(events['session.revoked'].data, {
    name: 'SessionsEnded',
    description: 'Sessions of yours ended before their time.',
    interfaces: ['ViewerEvent'],
    fields: {
      session_id: 'The session in the REST API, null when there were several.',
      count: 'How many ended.',
    },
  }),
  objectType(events['device.updated'].data, {
    name: 'DeviceChanged',
    description: 'A device of yours is in another state.',
    interfaces: ['ViewerEvent'],
    fields: {
      device_id: 'The device in the REST API.',
      user_id: false,
      state: { type: 'DeviceState', description: 'The state that it is in now.' },
      name: 'What people call it.',
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
  """You, as your session's cookie or access token says. 401 without one; API keys are no people."""
  viewer: Viewer!
}

extend type Viewer {
  """When you last proved who you are."""
  authTime: DateTime!
  """Your sessions that are open, newest first."""
  sessions: [Session!]!
  """Your devices that are not removed, those used last first."""
  devices: [Device!]!
}

extend type Session {
  """The device that it is on, if that is known."""
  device: Device
}

"""What came of ending sessions."""
type EndSessionsPayload {
  """How many ended."""
  ended: Int!
}
`;
