import { realClock } from './edges.ts'
import { createLog } from './log.ts'
import { startRemote } from './remote.ts'
import { readRemoteConfig } from './start/remote-config.ts'
import type { Outlive, Running } from './start/running.ts'
import { StartupError } from './startup-error.ts'

/** Starts a collector at another site. */
export async function runRemote(args: readonly string[], outlive: Outlive): Promise<Running> {
  if (args.length > 0)
    throw new StartupError(
      'A collector with the key of a site has no commands.',
      'Run them where Pulse has its database, or without PULSE_SITE_KEY_FILE.',
    )
  const config = readRemoteConfig(process.env, { tty: process.stdout.isTTY === true })
  const { log } = createLog(config.logLevel, config.logPretty)
  const { url, stop } = await startRemote(config, { clock: realClock, log, env: process.env, outlive })
  return {
    url,
    ready: () => log.info({ site: config.site }, `The collector answers at ${url}`),
    stop() {
      log.info('The collector stops')
      return stop()
    },
  }
}
