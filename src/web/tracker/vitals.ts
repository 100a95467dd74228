import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import './main.ts';
import { flushAtEnd } from './queue.ts';
import { address, send } from './send.ts';

let page = address();
let measured: Record<string, number> = {};

/** Records a metric: whole milliseconds, or the layout shift with four digits. */
function record({ name, value, navigationType }: Metric): void {
  // A page from the back/forward cache is measured again.
  if (navigationType === 'back-forward-cache') page = address();
  measured[name.toLowerCase()] =
    name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);
}

/** Sends one event when the page is hidden: interactions and layout shifts go on until then. */
function report(): void {
  if (!document.hidden || Object.keys(measured).length === 0) return;
  send('web_vitals', { url: page, ...measured });
  measured = {};
  flushAtEnd();
}

for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(record);
// In the bubble phase: the last metrics are reported in the capture phase.
addEventListener('visibilitychange', report);
