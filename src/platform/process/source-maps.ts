// Traces name files and lines of src. A map is read with the part that it belongs to, so this has
// to run before the others are loaded.
process.setSourceMapsEnabled(true);
