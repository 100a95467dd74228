/**
 * Exits with one line when this Node is older than required. Written in old syntax on purpose.
 */
export function requireNode(major, minor) {
  const parts = process.versions.node.split('.').map(Number);
  if (parts[0] > major || (parts[0] === major && parts[1] >= minor)) return;
  process.stderr.write(
    'Node ' +
      process.versions.node +
      ' is too old: this needs Node ' +
      major +
      '.' +
      minor +
      ' or newer (https://nodejs.org).\n',
  );
  process.exit(1);
}
