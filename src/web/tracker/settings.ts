const script = document.currentScript as HTMLScriptElement;

/** The tag's settings: `data-site`, `data-api`, `data-manual`, `data-hash`, `data-keep`. */
export const settings = script.dataset;

/** The service that this script came from, unless the tag names another one. */
export const origin = settings.api ?? new URL(script.src).origin;
