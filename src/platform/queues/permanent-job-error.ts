/** Thrown by a job's handler when trying again cannot help. */
export class PermanentFailure extends Error {
  override readonly name: string = 'PermanentFailure';
}
