import { fileURLToPath } from 'node:url'

const cache = new URL('../../../../node_modules/.cache/', import.meta.url)

/** Built before the run when its sources have changed (`scripts/test-product.ts`). */
export const builtServer = fileURLToPath(new URL('pulse-server/dist/main.js', cache))

/** The program that switches releases, as shipped. */
export const builtSwitch = fileURLToPath(new URL('pulse-server/dist/switch.cjs', cache))

/** A process with cached compiled code starts in a third of the time. */
export const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(new URL('pulse-tests', cache)) }
