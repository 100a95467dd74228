import { defineErrors } from '../../platform/errors/errors.ts';

export const statusErrors = defineErrors('status', {
  component_not_found: [404, 'There is no component with this id.'],
  component_exists: [409, 'There is, or was, a component with this id. Choose another one.'],
  component_builtin: [
    409,
    'The service checks this component itself: it can be renamed, grouped and hidden ' +
      'while it is operational, but neither deleted nor pointed elsewhere.',
  ],
  too_many_components: [409, 'There can be 100 components. Delete one first.'],
  subscriber_not_found: [404, 'There is no subscriber with this id.'],
  incident_not_found: [404, 'There is no incident with this id.'],
  maintenance_not_found: [404, 'There is no maintenance with this id.'],
  incident_over: [
    409,
    'The incident is resolved. Add a postmortem, or reopen it by an update with another ' +
      'status; what the service noted by itself stays resolved.',
  ],
  incident_open: [409, 'A postmortem follows when the incident is resolved.'],
  maintenance_over: [409, 'The maintenance is completed and can not be changed any more.'],
  maintenance_running: [
    409,
    'The maintenance has begun: it can not go back to `scheduled`, nor begin at another time.',
  ],
});
