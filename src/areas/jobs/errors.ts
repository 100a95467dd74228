import { defineErrors } from '../../platform/errors/errors.ts';

export const jobErrors = defineErrors('jobs', {
  unknown_kind: [404, 'There is no kind of job with this name.'],
});
