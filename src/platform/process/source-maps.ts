// Makes stack traces name files and lines of src. A source map is read when its module loads, so
// this has to run before other modules are loaded.
process.setSourceMapsEnabled(true);
