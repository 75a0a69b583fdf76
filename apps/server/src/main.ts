import './start/threads.ts'
import './start/umask.ts'
import { help, isHelp } from './commands/help.ts'
import { isRemote } from './start/remote-config.ts'
import type { Running } from './start/running.ts'
import { StartupError } from './startup-error.ts'
import type { FaultReport } from './troubles/faults.ts'

/** A service supervisor kills the process a few seconds later. Stored data are consistent at any moment. */
const STOP_LIMIT_MS = 4_800

function fail(error: unknown): never {
  if (error instanceof StartupError) console.error(`Pulse cannot start.\n${error.message}`)
  else console.error(`Pulse cannot start.\n${withoutFields(error)}`)
  process.exit(1)
}

/** Message and stack of an error and its causes. Other fields of an error may contain secrets. */
function withoutFields(error: unknown): string {
  if (!(error instanceof Error)) return 'No further details.'
  const text = error.stack ?? error.message
  return error.cause === undefined ? text : `${text}\nbecause of ${withoutFields(error.cause)}`
}

/** One error must not end the monitoring. A server that starts again has a report of its own. */
function outlive(report: FaultReport) {
  const isFirst = !reporting
  reporting = report
  if (!isFirst) return
  process.on('uncaughtException', (error) => reporting?.('exception', error))
  process.on('unhandledRejection', (reason) => reporting?.('rejection', reason))
  // The console is closed, so its error cannot be reported.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
let reporting: FaultReport | undefined

function stopOnSignals(server: Pick<Running, 'stop'>) {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => {
      console.error('Pulse did not stop in time and exits now.')
      process.exit(1)
    }, STOP_LIMIT_MS).unref()
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`Pulse did not stop cleanly.\n${withoutFields(error)}`)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  // The parent process (demo, bench, tests) has ended and can no longer stop this one.
  process.once('disconnect', stop)
}

/** A collector without a database loads neither its code nor that of the pages. */
async function run(args: readonly string[]): Promise<Running | undefined> {
  if (isRemote(process.env)) return (await import('./remote-program.ts')).runRemote(args, outlive)
  return (await import('./program.ts')).runProgram(args, outlive)
}

async function main(args: readonly string[]) {
  if (isHelp(args[0])) return console.log(help)
  const running = await run(args)
  if (!running) return
  stopOnSignals(running)
  running.ready()
  process.send?.({ ready: running.url })
}

// The bundler joins small files only if no module waits at its top level.
main(process.argv.slice(2)).catch(fail)
