/** Who asks, their sessions and devices. */
export const peopleSchema = `
extend type Query {
  """You, as your session's cookie or access token says. 401 without one; API keys are no people."""
  viewer: Viewer!
}

"""What a person may do in the console."""
enum Role {
  """Everything."""
  admin
  """Read figures."""
  viewer
}

"""How sure it is that it is you (NIST SP 800-63B)."""
enum AssuranceLevel {
  """One factor."""
  aal1
  """Two factors."""
  aal2
}

"""How a session is held."""
enum SessionKind {
  """By a browser's cookie."""
  cookie
  """By a bearer token."""
  bearer
}

"""The person who asks, as OpenID Connect claims."""
type Viewer implements Node {
  """Global id."""
  id: ID!
  """The id in the REST API: the claim \`sub\`."""
  userId: String!
  """Full name, if it is known."""
  name: String
  """Verified e-mail address."""
  email: String
  """True when there is one: only verified ones are kept."""
  emailVerified: Boolean!
  """Verified phone number (E.164)."""
  phoneNumber: String
  """True when there is one: only verified ones are kept."""
  phoneNumberVerified: Boolean!
  """Address of a picture."""
  picture: String
  """What you may do in the console."""
  roles: [Role!]!
  """How you signed in (RFC 8176)."""
  amr: [String!]!
  """How sure it is that it is you."""
  acr: AssuranceLevel!
  """When you last proved who you are."""
  authTime: DateTime!
  """Your sessions that are open, newest first."""
  sessions: [Session!]!
  """Your devices that are not removed, those used last first."""
  devices: [Device!]!
}

"""A session of yours that is open."""
type Session implements Node {
  """Global id."""
  id: ID!
  """The id in the REST API."""
  sessionId: String!
  """The session of this request."""
  current: Boolean!
  """How it is held."""
  via: SessionKind!
  """Browser and system, as the sign-in told."""
  client: String!
  """How the sign-in was proved (RFC 8176)."""
  amr: [String!]!
  """When you signed in."""
  createdAt: DateTime!
  """When it was last used, exact to a minute."""
  lastUsedAt: DateTime!
  """When it ends at the latest."""
  expiresAt: DateTime!
  """The device that it is on, if that is known."""
  device: Device
}

"""Whether a device may do what admins do."""
enum DeviceState {
  """Nobody has decided yet."""
  pending
  """It may."""
  cleared
  """It may not until it is restored."""
  suspended
  """It was refused."""
  denied
  """Its clearance is over."""
  expired
  """It was removed."""
  revoked
  """It has not asked."""
  unknown
}

"""What a device proves, from weakest to strongest."""
enum DeviceBinding {
  """Nothing."""
  fingerprint
  """That it has its cookie."""
  cookie
  """That it has its key."""
  key
  """That it has its key, and a passkey in the device."""
  webauthn
}

"""Why a device is suspended."""
type DeviceReason {
  """The rule."""
  code: String!
  """The same in plain words."""
  text: String!
}

"""A device of yours."""
type Device implements Node {
  """Global id."""
  id: ID!
  """The id in the REST API."""
  deviceId: String!
  """What people call it."""
  name: String!
  """Whether it may do what admins do."""
  state: DeviceState!
  """What it proves."""
  binding: DeviceBinding!
  """The device of this request."""
  current: Boolean!
  """Why it is suspended."""
  reasons: [DeviceReason!]!
  """The kind of machine."""
  platform: String
  """The system."""
  os: String
  """The browser."""
  browser: String
  """Where it was seen last: a /24 of IPv4, a /48 of IPv6."""
  network: String
  """Where it was seen last (ISO 3166-1 alpha-2)."""
  country: String
  """When it was first seen."""
  firstSeen: DateTime!
  """When it was last seen."""
  lastSeen: DateTime!
  """When it was cleared."""
  clearedAt: DateTime
  """When its clearance is over."""
  expiresAt: DateTime
}

"""What came of ending sessions."""
type EndSessionsPayload {
  """How many ended."""
  ended: Int!
}

"""Something that concerns you."""
interface ViewerEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
}

"""Sessions of yours ended before their time."""
type SessionsEnded implements ViewerEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
  """The session in the REST API, null when there were several."""
  sessionId: String
  """How many ended."""
  count: Int!
}

"""A device of yours is in another state."""
type DeviceChanged implements ViewerEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was."""
  time: DateTime!
  """The device in the REST API."""
  deviceId: String!
  """What people call it."""
  name: String!
  """The state that it is in now."""
  state: DeviceState!
}
`;
