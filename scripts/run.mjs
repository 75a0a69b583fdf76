// Runs a script on the pinned Node: node scripts/run.mjs FILE [ARGS]
import { ended, passSignals, startNode } from './child.mjs'
import { ensureInstalled } from './install.mjs'

await ensureInstalled()
const child = startNode(process.argv.slice(2))
passSignals(child)
process.exit(await ended(child))
