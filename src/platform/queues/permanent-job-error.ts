/** Thrown by a job's handler when trying again cannot help. */
export class PermanentJobError extends Error {
  override readonly name: string = 'PermanentJobError';
}
