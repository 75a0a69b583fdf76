import { fileURLToPath } from 'node:url'

const cache = new URL('../../../../node_modules/.cache/', import.meta.url)

/** Made before the run, when its sources have changed (`scripts/test-product.ts`). */
export const builtServer = fileURLToPath(new URL('pulse-server/dist/main.js', cache))

/** What puts a release in the place of another, as it ships. */
export const builtSwitch = fileURLToPath(new URL('pulse-server/dist/switch.cjs', cache))

/** A process that finds its code compiled costs a third of one that does not. */
export const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(new URL('pulse-tests', cache)) }
