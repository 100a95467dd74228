// `npm run docs` writes the generated pages; --check only reports whether they are up to date.
process.argv.splice(2, 0, 'docs');
await import('./run.mjs');
