import { realClock } from '../edges.ts'
import { createLog } from '../log.ts'
import type { Config } from '../start/config.ts'
import { readBootstrapToken, readResetArguments, resetPassword } from '../start/recover.ts'
import { StartupError } from '../startup-error.ts'
import { runConfigCommand } from './config.ts'
import { usage } from './help.ts'
import { migrateFromPostgres, migrateToPostgres } from './migrate.ts'
import { makeSiteKey } from './site-key.ts'

/** Runs a command, which ends. Resolves to what it says. */
export async function runCommand([command, ...args]: readonly string[], config: Config): Promise<string> {
  const { log } = createLog('warn', config.logPretty)
  if (command === 'bootstrap-token') return readBootstrapToken(config.dataDir)
  if (command === 'config') return runConfigCommand(args, config, { clock: realClock, log })
  if (command === 'reset-password')
    return resetPassword(config, readResetArguments(args), { clock: realClock, log })
  if (command === 'migrate-to-postgres') return migrateToPostgres(config, { clock: realClock })
  if (command === 'migrate-from-postgres') return migrateFromPostgres(config, { clock: realClock })
  if (command === 'site-key') return makeSiteKey(args, config, { clock: realClock })
  throw new StartupError(`There is no command "${command}".`, usage)
}
