import { build } from './build.mjs'

/** Processes of their own and threads of databases that tests start are those that ship: they start sooner than their sources. */
export default () => build({ ifStale: true, names: ['server for tests'] })
