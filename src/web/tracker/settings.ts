/** The tag's settings: `data-site`, `data-api`, `data-manual`, `data-hash`, `data-keep`. */
export const { dataset: settings, src } = document.currentScript as HTMLScriptElement;

/** The service that this script came from, unless the tag names another one. */
export const origin = settings.api ?? new URL(src).origin;
