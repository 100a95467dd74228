import { afterAll } from 'vitest';
import { closeOpenApps } from './open-apps.ts';

// Of the file before, whose hooks did not run if all its tests were left out.
await closeOpenApps();
afterAll(closeOpenApps);
