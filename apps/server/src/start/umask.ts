/**
 * What this process makes is its owner's alone. Imported before everything else, so that no file comes before it;
 * a thread cannot set it for its process.
 */
process.umask(0o077)
