/** Front page of the console. */
export const consolePath = '/api/svc/console/';

/** A person's own account. */
export const accountPath = '/account';

/** Ends the session that sends a form there. */
export const signOutPath = '/account/sign-out';
