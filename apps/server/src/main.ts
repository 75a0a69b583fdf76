import path from 'node:path'
import { realClock } from './edges.ts'
import { createLog } from './log.ts'
import { createServer, type Server } from './server.ts'
import { readConfig } from './start/config.ts'
import { StartupError } from './start/startup-error.ts'

function fail(error: unknown): never {
  if (error instanceof StartupError) console.error(`Pulse cannot start.\n${error.message}`)
  else console.error('Pulse cannot start.', error)
  process.exit(1)
}

async function start(): Promise<Server> {
  const tty = process.stdout.isTTY === true
  const config = readConfig(process.env, { dataDir: path.resolve('data'), tty })
  const log = createLog(config.logLevel, config.logPretty)
  const server = await createServer(config, { clock: realClock, log, env: process.env })
  log.info({ dataDir: config.dataDir }, `Pulse is ready at ${server.url}`)
  process.send?.({ ready: server.url })
  return server
}

const server = await start().catch(fail)
let stopping = false

function stop() {
  if (stopping) process.exit(1)
  stopping = true
  server.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error('Pulse did not stop cleanly.', error)
      process.exit(1)
    },
  )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
// Whoever started it over a channel (demo, bench, tests) is gone: nobody is left to stop it.
process.once('disconnect', stop)
