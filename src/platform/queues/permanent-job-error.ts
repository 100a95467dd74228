/** Thrown by a job's handler when a retry cannot succeed. */
export class PermanentJobError extends Error {
  override readonly name: string = 'PermanentJobError';
}
