import { test as base } from 'vitest';
import { closeSharedApps } from './shared-app.ts';

/** Vitest's `it` for files that use shared apps: closes them when the worker ends. */
export const it = base.extend(
  'sharedApps',
  { scope: 'worker', auto: true },
  ({}, { onCleanup }) => {
    onCleanup(closeSharedApps);
  },
);
