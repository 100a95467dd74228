import { requireNode } from './setup/node-version.mjs';

// Loaded only after the check: an old Node could not even parse it, and would say so less clearly.
requireNode(20, 19);
import('./setup/start-service.mjs');
