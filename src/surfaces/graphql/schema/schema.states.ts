/** What the status of things can be. */
export const statusValuesSchema = `
"""The service as a whole."""
enum StatusIndicator {
  """All is well."""
  none
  """Something small is not."""
  minor
  """Something big is not."""
  major
  """Nearly nothing works."""
  critical
  """Planned work goes on."""
  maintenance
}

"""How bad an incident is."""
enum StatusImpact {
  """Not at all."""
  none
  """A little."""
  minor
  """Much."""
  major
  """Very."""
  critical
  """It is planned work."""
  maintenance
}

"""How a component is."""
enum ComponentStatus {
  """As it should be."""
  operational
  """Slow, or worse than usual."""
  degraded_performance
  """Some of it does not work."""
  partial_outage
  """It does not work."""
  major_outage
  """Planned work goes on."""
  under_maintenance
}

"""How far an incident is."""
enum IncidentStatus {
  """It is being looked into."""
  investigating
  """It is known why."""
  identified
  """It is mended and watched."""
  monitoring
  """It is over."""
  resolved
  """It is over and explained."""
  postmortem
}

"""How far maintenance is."""
enum MaintenanceStatus {
  """It is planned."""
  scheduled
  """It goes on."""
  in_progress
  """It is done and looked at."""
  verifying
  """It is over."""
  completed
}
`;
