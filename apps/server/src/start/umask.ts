/**
 * Only the owner may access files of this process. Imported before everything else, so that no file is
 * created earlier. A thread cannot set the umask of its process.
 */
process.umask(0o077)
