// `npm run docs` writes the generated pages; with --check it only says whether they are up to date.
process.argv.splice(2, 0, 'docs');
await import('./run.mjs');
