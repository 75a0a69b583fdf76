import path from 'node:path'
import type { FirstRun } from './auth/first-run.ts'
import { realClock } from './edges.ts'
import { startLasting } from './lasting.ts'
import { openLogFile } from './log-file.ts'
import { createLog } from './log.ts'
import { thisMachine } from './machine.ts'
import { createServer } from './server.ts'
import { type Config, readConfig } from './start/config.ts'
import type { Outlive, Running } from './start/running.ts'

/** Runs a command, or starts the product. Undefined: the command has ended. */
export async function runProgram(args: readonly string[], outlive: Outlive): Promise<Running | undefined> {
  const tty = process.stdout.isTTY === true
  const config = readConfig(process.env, { dataDir: path.resolve('data'), tty })
  if (args.length === 0) return start(config, outlive)
  const { runCommand } = await import('./commands/run.ts')
  console.log(await runCommand(args, config))
  return undefined
}

async function start(config: Config, outlive: Outlive): Promise<Running> {
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
  const { server, stop } = await startLasting(() => createServer(config, edges), edges)
  return {
    url: server.url,
    ready() {
      log.info({ dataDir: config.dataDir }, `Pulse is ready at ${server.url}`)
      if (server.firstRun) printFirstRun(server.url, server.firstRun)
    },
    stop() {
      log.info('Pulse stops')
      return stop().finally(() => file?.close())
    },
  }
}

/** Prints to the console instead of the log, which must not contain a one-time secret. */
function printFirstRun(url: string, { token, file }: FirstRun) {
  console.log(
    `\nSet up sign-in: open ${url}/#setup=${token}` +
      `\nor enter this one-time token there: ${token}` +
      `\n(It is also in ${file} and expires after the first setup.)\n`,
  )
}
