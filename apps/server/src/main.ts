import './start/threads.ts'
import './start/umask.ts'
import path from 'node:path'
import type { FirstRun } from './auth/first-run.ts'
import { thisMachine } from './machine.ts'
import { realClock } from './edges.ts'
import { openLogFile } from './log-file.ts'
import { createLog } from './log.ts'
import type { Server } from './product.ts'
import { createServer } from './server.ts'
import { startLasting } from './lasting.ts'
import { type Config, readConfig } from './start/config.ts'
import { readBootstrapToken, readResetArguments, resetPassword } from './start/recover.ts'
import { StartupError } from './startup-error.ts'
import { runConfigCommand } from './commands/config.ts'
import { help, isHelp, usage } from './commands/help.ts'
import { migrateFromPostgres, migrateToPostgres } from './commands/migrate.ts'

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

async function start(config: Config): Promise<void> {
  const file = config.logFile && openLogFile(config.logFile, realClock, (problem) => console.error(problem))
  const { log, audit, setLevel } = createLog(config.logLevel, config.logPretty, undefined, file?.write)
  const edges = {
    clock: realClock,
    log,
    auditLog: audit,
    setLogLevel: setLevel,
    env: config.environment.variables,
    machine: thisMachine,
    outlive,
  }
  const { server, stop: stopServer } = await startLasting(() => createServer(config, edges), edges)
  const stop = () => {
    log.info('Pulse stops')
    return stopServer().finally(() => file?.close())
  }
  stopOnSignals({ stop })
  log.info({ dataDir: config.dataDir }, `Pulse is ready at ${server.url}`)
  if (server.firstRun) printFirstRun(server.url, server.firstRun)
  process.send?.({ ready: server.url })
}

/** One error must not end the monitoring. A server that starts again has a report of its own. */
function outlive(report: Server['report']) {
  const isFirst = !reporting
  reporting = report
  if (!isFirst) return
  process.on('uncaughtException', (error) => reporting?.('exception', error))
  process.on('unhandledRejection', (reason) => reporting?.('rejection', reason))
  // The console is closed, so its error cannot be reported.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
let reporting: Server['report'] | undefined

/** Prints to the console instead of the log, which must not contain a one-time secret. */
function printFirstRun(url: string, { token, file }: FirstRun) {
  console.log(
    `\nSet up sign-in: open ${url}/#setup=${token}` +
      `\nor enter this one-time token there: ${token}` +
      `\n(It is also in ${file} and expires after the first setup.)\n`,
  )
}

/** Commands that run once and exit. */
async function runCommand([command, ...args]: string[], config: Config): Promise<void> {
  const { log } = createLog('warn', config.logPretty)
  if (command === 'bootstrap-token') {
    console.log(readBootstrapToken(config.dataDir))
  } else if (command === 'config') {
    console.log(await runConfigCommand(args, config, { clock: realClock, log }))
  } else if (command === 'reset-password') {
    console.log(await resetPassword(config, readResetArguments(args), { clock: realClock, log }))
  } else if (command === 'migrate-to-postgres') {
    console.log(await migrateToPostgres(config, { clock: realClock }))
  } else if (command === 'migrate-from-postgres') {
    console.log(await migrateFromPostgres(config, { clock: realClock }))
  } else {
    throw new StartupError(`There is no command "${command}".`, usage)
  }
}

function stopOnSignals(server: Pick<Server, 'stop'>) {
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

try {
  const args = process.argv.slice(2)
  if (isHelp(args[0])) console.log(help)
  else {
    const tty = process.stdout.isTTY === true
    const config = readConfig(process.env, { dataDir: path.resolve('data'), tty })
    if (args.length > 0) await runCommand(args, config)
    else await start(config)
  }
} catch (error) {
  fail(error)
}
