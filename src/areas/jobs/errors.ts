import { defineErrors } from '../../platform/errors/errors.ts';

export const jobErrors = defineErrors('jobs', {
  unknown_kind: [404, 'No kind of job has this name. GET /api/v1/jobs/queues lists the kinds.'],
});
