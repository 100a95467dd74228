/** What happens on a site, as it happens. */
export const analyticsLiveSchema = `
"""Something that happens on a site."""
interface SiteEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was told."""
  time: DateTime!
}

"""An event was stored. Of many only some are told."""
type SiteEventStored implements SiteEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was told."""
  time: DateTime!
  """The name of the event."""
  event: String!
  """The host of the page."""
  hostname: String
  """The path of the page."""
  pathname: String!
  """When it happened."""
  timestamp: DateTime!
  """Country of the visitor (ISO 3166-1 alpha-2)."""
  country: String
  """Browser of the visitor."""
  browser: String
  """System of the visitor."""
  os: String
  """Kind of device."""
  device: String
  """It came from a bot."""
  bot: Boolean!
  """Events of the same quarter of a second that are not told."""
  skipped: Count!
}

"""What one replica has stored since its last tick, each second while there is something."""
type SiteCounters implements SiteEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was told."""
  time: DateTime!
  """Events."""
  events: Count!
  """Page views."""
  pageviews: Count!
  """Milliseconds since the last tick."""
  ms: Count!
}

"""Visitors of the last five minutes, each five seconds while there is something."""
type SiteVisitors implements SiteEvent {
  """The same for everybody who hears it (UUID)."""
  eventId: String!
  """When it was told."""
  time: DateTime!
  """Different visitors."""
  visitors: Count!
}
`;
