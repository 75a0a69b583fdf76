import fs from 'node:fs'
import { startAgent } from './agent.ts'
import { realClock } from './ticker.ts'
import { autostart } from './commands/autostart.ts'
import { addressText, engineAddress } from './engine/address.ts'
import { createLog, type Log } from './log.ts'
import { showsToken, usage } from './settings/flags.ts'
import { readSettings, type Settings } from './settings/settings.ts'
import { SettingsError } from './settings/values.ts'
import { createHealthFile } from './health-file.ts'
import { cleanEnvironment } from './update/environment.ts'
import { clearLeftovers } from './update/leftovers.ts'
import { previousOf, updateSelf } from './update/self-update.ts'
import { lookForUpdates } from './update/updates.ts'
import { introduction, releaseKeys, version } from './version.ts'

// replaces the command line, which every user of a host can read and which may contain a token
process.title = 'pulse-docker-agent'
main()

function main(): void {
  const settings = orExit(() => readSettings(process.argv.slice(2), process.env))
  if (settings.only === 'version') return void process.stdout.write(`${introduction(version)}\n`)
  if (settings.only === 'help') return void process.stdout.write(usage())
  const log = createLog({
    level: settings.logLevel,
    secrets: settings.targets.map(({ token }) => token),
    now: Date.now,
    write: (line) => void process.stderr.write(line),
  })
  const engine = orExit(() => engineAddress(process.env, fs.existsSync))
  const urls = settings.targets.map(({ url }) => url).join(', ')
  log.info(
    `${introduction(version)} reports ${addressText(engine)} to ${urls} every ${settings.intervalMs / 1000} s`,
  )
  for (const { url } of settings.targets.filter(({ insecure }) => insecure)) {
    log.warn(`the certificate of ${url} is not verified`)
  }
  if (showsToken(process.argv.slice(2))) {
    log.warn(
      'the token was given on the command line, which every user of this host can read while the agent starts: use PULSE_TOKEN or PULSE_TARGETS instead',
    )
  }
  const end = (code: number) => process.exit(code)
  const { healthFile: file, intervalMs } = settings
  const agent = startAgent({
    settings,
    engine,
    clock: realClock,
    log,
    autostart: autostart(),
    end,
    // exists in the single executable because of --expose-gc
    idle: () => globalThis.gc?.(),
    ...(file !== undefined && { healthy: createHealthFile({ file, intervalMs, log }) }),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      agent.stop()
      process.exit(0)
    })
  }
  if (settings.autoUpdate) keepUpdated(settings, log, agent.isOurs)
}

/** Prints an invalid setting. The exit code means that a restart would not help. */
function orExit<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`pulse-docker-agent: ${error.message}\n`)
    process.exit(2)
  }
}

/** Only the single executable can replace itself. */
function keepUpdated(settings: Settings, log: Log, isOurs: () => boolean): void {
  const platforms: Record<string, string> = { x64: 'linux-amd64', arm64: 'linux-arm64' }
  const platform = platforms[process.arch]
  const [target] = settings.targets
  const isOneFile = process.getBuiltinModule('node:sea').isSea()
  if (!isOneFile || platform === undefined || target === undefined || version === 'dev') return
  if (releaseKeys === '')
    return log.info('this agent was built without a release key: it cannot update itself')
  const program = process.execPath
  const environment = cleanEnvironment(settings, process.env)
  clearLeftovers(program)
  lookForUpdates(realClock, log, Math.random, isOurs, async () => {
    // this version works, so the previous one is no longer needed
    fs.rmSync(previousOf(program), { force: true })
    await updateSelf({
      target,
      version,
      program,
      platform,
      keys: releaseKeys,
      log,
      become: (file) => process.execve!(file, [file], environment),
    })
  })
}
