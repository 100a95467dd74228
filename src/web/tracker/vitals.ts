import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import './main.ts';
import { flushAtEnd } from './queue.ts';
import { address, send } from './send.ts';

let page = address();
let measured: Record<string, number> = {};

/** Milliseconds are whole, the layout shift has four digits. */
function note({ name, value, navigationType }: Metric): void {
  // A page that came back from the browser's cache is measured anew.
  if (navigationType === 'back-forward-cache') page = address();
  measured[name.toLowerCase()] =
    name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);
}

/** One event with the vitals of the page: interactions and shifts go on until it is left. */
function tell(): void {
  if (!document.hidden || Object.keys(measured).length === 0) return;
  send('web_vitals', { url: page, ...measured });
  measured = {};
  flushAtEnd();
}

for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(note);
// On the way up: what is measured until the end is told on the way down.
addEventListener('visibilitychange', tell);
