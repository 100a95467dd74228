/** True for an error of the operating system, such as ENOENT from reading a file. */
export const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';
