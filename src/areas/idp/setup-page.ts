import { escapeHtml } from '../../lib/html.ts';

/** The form of the first-admin link: no scripts, no styles, sent to the address it stands at. */
export function setupPage(appName: string): string {
  const name = escapeHtml(appName);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>First admin of ${name}</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>First admin of ${name}</h1>
<p>${name} has no admin yet. You become the first one. This link works once.</p>
<form method="post">
<p><label for="email">Your e-mail address</label><br>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required></p>
<p><button type="submit">Become admin</button></p>
</form>
</main>
</body>
</html>
`;
}
