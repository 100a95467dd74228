// Written out instead of `\p{Cc}` and similar classes, because they appear in the OpenAPI document
// and not every regular expression engine supports those.

/** One line: no control characters, line separators or bidirectional overrides. */
export const oneLine =
  /^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/u;

/** No control characters. */
export const noControls = /^[^\u0000-\u001f\u007f-\u009f]*$/u;

/** No control characters except line breaks and tabs. */
export const multiLine = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$/u;

/** The format of an ISO 3166-1 alpha-2 code, which may be unassigned. */
export const countryCode = /^[A-Z]{2}$/;
