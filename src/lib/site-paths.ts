/** Front page of the console. */
export const consolePath = '/api/svc/console/';

/** The page of the signed-in user's account. */
export const accountPath = '/account';

/** The other pages of the account. */
export const accountSecurityPath = '/account/security';
export const accountSessionsPath = '/account/sessions';
export const accountDataPath = '/account/data';
export const accountDevicesPath = '/account/devices';

/** Ends the session. For POST forms. */
export const signOutPath = '/account/sign-out';

/** The form that chooses light or dark. */
export const themeFormPath = '/theme';

/** Where the routes of sign-in are, and their short path. */
export const authPath = '/api/auth/';
export const shortAuthPath = '/auth/';

/** The entry of an error code in the list of all of them. */
export const errorCodePath = (code: string): string => `/developer/errors#${code}`;
