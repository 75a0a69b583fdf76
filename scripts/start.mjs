// npm start: install, build what is stale, and run the product. `npm start -- reset-password admin` and
// `npm start -- bootstrap-token` run its commands.
import path from 'node:path'
import { build } from './build.mjs'
import { ended, passSignals } from './child.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'
import { startProduct } from './product.mjs'

ensureInstalled()
await build({ ifStale: true })
const server = startProduct(
  {
    PULSE_DATA_DIR: process.env.PULSE_DATA_DIR ?? path.join(root, 'data'),
    ...(process.env.PULSE_FRONTEND_DIR ? { PULSE_FRONTEND_DIR: process.env.PULSE_FRONTEND_DIR } : {}),
  },
  { args: process.argv.slice(2) },
)
passSignals(server)
process.exit(await ended(server))
