import './platform/process/v8-flags.ts';
import './platform/process/source-maps.ts';
import { createWorkerFactory } from './areas/analytics/worker/worker-factory.ts';

// Most of a start is reading code, so the event store's thread reads its own while this one reads
// the rest.
const newWorker = createWorkerFactory(new URL('./worker.js', import.meta.url));
const { serve } = await import('./server.ts');
serve(newWorker);
