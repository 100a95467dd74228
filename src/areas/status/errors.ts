import { defineErrors } from '../../platform/errors/errors.ts';

export const statusErrors = defineErrors('status', {
  component_not_found: [404, 'No component has this id.'],
  component_exists: [409, 'This id is taken by a current or deleted component. Choose another id.'],
  component_builtin: [
    409,
    'The service checks this component itself. You can rename, group or hide it, but not ' +
      'delete it or change its target. You can hide it only while it is operational.',
  ],
  too_many_components: [409, 'You have reached the limit of 100 components. Delete one first.'],
  subscriber_not_found: [404, 'No subscriber has this id.'],
  incident_not_found: [404, 'No incident has this id.'],
  maintenance_not_found: [404, 'No maintenance window has this id.'],
  incident_over: [
    409,
    'The incident is resolved. Add a postmortem, or reopen it with an update that has ' +
      'another status. Incidents opened by the service itself stay resolved.',
  ],
  incident_open: [409, 'Resolve the incident before you add a postmortem.'],
  maintenance_over: [
    409,
    'This maintenance is completed and can no longer be changed. Schedule a new one instead.',
  ],
  maintenance_running: [
    409,
    'The maintenance has started. It cannot return to `scheduled`, and its start time ' +
      'can no longer be changed.',
  ],
});
