import {
  EndedSessionsView,
  SessionUser,
  SessionView,
} from '../../../areas/identity/sign-in/schemas.ts';
import { DeviceView } from '../../../areas/identity/devices/schemas.ts';
import { events } from '../../../areas/realtime/events.ts';
import { eventInterface } from './base-types.ts';
import { enumType, objectType, type TypeDefinition } from './type-definitions.ts';

export const viewerEventInterface = eventInterface('ViewerEvent', {
  description: 'A change of your account.',
});

const { 'session.revoked': ended, 'device.updated': changed } = events;

/** The types of the viewer with their sessions and devices. */
export const peopleTypes: readonly TypeDefinition[] = [
  enumType(SessionUser.shape.roles.element, {
    name: 'Role',
    labels: { admin: 'Full access', viewer: 'Reads analytics' },
  }),
  enumType(SessionUser.shape.acr, {
    name: 'AssuranceLevel',
    labels: { aal1: 'One factor', aal2: 'Two factors' },
  }),
  enumType(SessionView.shape.via, { name: 'SessionKind' }),
  enumType(DeviceView.shape.state, {
    name: 'DeviceState',
    labels: { pending: 'Waiting for a decision', cleared: 'Approved', revoked: 'Removed' },
  }),
  enumType(DeviceView.shape.binding, { name: 'DeviceBinding' }),
  objectType(SessionUser, {
    name: 'Viewer',
    description: 'The current user, as OpenID Connect claims.',
    nodeId: 'id',
    // The time of sign-in is an instant in GraphQL, seconds in OpenID Connect.
    fields: { id: 'userId', sub: false, auth_time: false, authenticated: false, session: false },
  }),
  objectType(SessionView, {
    name: 'Session',
    description: 'One of your open sessions.',
    nodeId: 'id',
  }),
  objectType(EndedSessionsView, { name: 'EndSessionsPayload', fields: { ok: false } }),
  objectType(DeviceView, {
    name: 'Device',
    description: 'One of your devices.',
    nodeId: 'device_id',
  }),
  objectType(DeviceView.shape.reasons.element, {
    name: 'DeviceReason',
    description: 'Reason for a suspension.',
  }),
  objectType(ended.data, {
    name: 'SessionsEnded',
    description: 'One or more of your sessions were ended before they expired.',
    interfaces: ['ViewerEvent'],
  }),
  objectType(changed.data, {
    name: 'DeviceChanged',
    description: 'The state of one of your devices changed.',
    interfaces: ['ViewerEvent'],
    fields: { user_id: false, state: { type: 'DeviceState' }, at: false },
  }),
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
`;
