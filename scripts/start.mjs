// npm start: install, build what is stale, and run the product.
import path from 'node:path'
import { build } from './build.mjs'
import { ended, passSignals, startNode } from './child.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'

ensureInstalled()
await build({ ifStale: true })
const server = startNode([path.join(root, 'apps/server/dist/main.js')], {
  env: {
    PULSE_DATA_DIR: process.env.PULSE_DATA_DIR ?? path.join(root, 'data'),
    PULSE_FRONTEND_DIR: process.env.PULSE_FRONTEND_DIR ?? path.join(root, 'apps/web/dist'),
    NODE_COMPILE_CACHE: path.join(root, 'apps/server/dist/.compile-cache'),
  },
})
passSignals(server)
process.exit(await ended(server))
