import { build } from './build.mjs'

/** What tests start as a process of its own is what ships, and starts in a third of the time that its sources take. */
export default () => build({ ifStale: true, names: ['server for tests'] })
