import { requireNode } from './setup/node-version.mjs';

// Loaded after the check, as in start.mjs: an old Node could not even parse it.
requireNode(20, 19);
import('./setup/start-demo.mjs');
