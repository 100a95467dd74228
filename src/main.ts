import './platform/process/v8-flags.ts';
import './platform/process/compile-cache.ts';
import './platform/process/navigator.ts';
import './platform/process/source-maps.ts';
import { createWorkerFactory } from './areas/analytics/worker/worker-factory.ts';

// Loading code takes most of the start, so the event store's thread loads its code in parallel.
const newWorker = createWorkerFactory(new URL('./worker.js', import.meta.url));
const { serve } = await import('./server.ts');
serve(newWorker);
