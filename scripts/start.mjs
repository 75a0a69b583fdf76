// npm start: installs packages, builds stale parts and runs the product. It passes on arguments after `npm
// start --`: reset-password [--create] <name>, bootstrap-token, config export|check|import <file>, --help.
import path from 'node:path'
import { build } from './build.mjs'
import { ended, passSignals } from './child.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'
import { startProduct } from './product.mjs'

await ensureInstalled()
await build({ ifStale: true })
const args = process.argv.slice(2)
if (args.length === 0) console.log('Starting Pulse …')
const server = startProduct(
  {
    PULSE_DATA_DIR: process.env.PULSE_DATA_DIR ?? path.join(root, 'data'),
    ...(process.env.PULSE_FRONTEND_DIR ? { PULSE_FRONTEND_DIR: process.env.PULSE_FRONTEND_DIR } : {}),
    ...(process.env.PULSE_AGENT_DIR ? { PULSE_AGENT_DIR: process.env.PULSE_AGENT_DIR } : {}),
  },
  { args },
)
passSignals(server)
process.exit(await ended(server))
