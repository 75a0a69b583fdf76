/** Under which name a call is counted. Guests and tasks by the question alone: guests are too many, and tasks come every night. */
export const callName = (path: string): string =>
  path
    .replace(/^\/nodes\/[^/]+\/(qemu|lxc)\/\d+\//, '$1/')
    .replace(/^\/nodes\/[^/]+\/tasks\/[^/]+\//, 'tasks/')
    .replace(/^\//, '')
    .replace(/\?.*/, '')
