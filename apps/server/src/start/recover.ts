import type { Clock } from '@pulse/domain'
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import { createAudit } from '../auth/audit.ts'
import { createPasswords } from '../auth/password.ts'
import { createUsers } from '../auth/users.ts'
import { auditStore } from '../db/audit.ts'
import { signInAttemptStore } from '../db/sign-in-attempts.ts'
import { userStore } from '../db/users.ts'
import type { Config } from './config.ts'
import { claimDataDir } from './data-dir.ts'
import { openStore } from './open-store.ts'
import { StartupError } from '../startup-error.ts'

/**
 * `reset-password [--create] [name]` (default `admin`), for an administrator with access to the machine. The
 * server must be stopped. Returns the text for the console. Throws StartupError for a name without an
 * account, unless `create` is set.
 */
export async function resetPassword(
  config: Config,
  { name, create }: { name: string; create: boolean },
  { clock, log }: { clock: Clock; log: Logger },
): Promise<string> {
  const dataDir = claimDataDir(config.dataDir)
  try {
    const { db, close } = await openStore(config, dataDir, clock.now())
    const attempts = signInAttemptStore(db)
    const audit = createAudit(auditStore(db), clock, log)
    const users = createUsers({
      store: userStore(db),
      passwords: createPasswords(),
      clock,
      onSessionsEnded: () => {},
      onWrite: () => {},
    })
    try {
      await users.start(config.access.user, config.declared?.users)
      const password = newPassword()
      const known = users.findLocal(name)
      if (!known && !create) throw noSuchAccount(name, users.localNames())
      if (known) {
        await users.setPassword(known.id, password)
        await users.change(known.id, { role: 'admin' })
      } else {
        await users.add({ name, password, role: 'admin' })
      }
      await attempts.remove(await attempts.all())
      const by = { name: 'console', method: 'console' } as const
      await audit.record({ event: known ? 'password_change' : 'user_added', by, target: name })
      return known
        ? `The password of the administrator ${name} is now: ${password}\nAll its sessions have ended.`
        : `The new administrator ${name} was created. Its password is now: ${password}`
    } catch (error) {
      if (error instanceof AppError)
        throw new StartupError(error.message, 'Nothing was changed.', { cause: error })
      throw error
    } finally {
      await audit.stop()
      await close()
    }
  } finally {
    dataDir.release()
  }
}

/** Throws StartupError on anything but `[--create] [name]`. */
export function readResetArguments(args: readonly string[]): { name: string; create: boolean } {
  const names = args.filter((arg) => arg !== '--create')
  const [name = 'admin'] = names
  if (names.length <= 1 && !name.startsWith('--')) return { name, create: args.includes('--create') }
  throw new StartupError(
    `"reset-password ${args.join(' ')}" is not a valid command.`,
    'Use: reset-password [--create] [name]',
  )
}

function noSuchAccount(name: string, names: readonly string[]): StartupError {
  return new StartupError(
    `There is no account "${name}".`,
    (names.length > 0
      ? `Accounts with a password: ${names.join(', ')}. `
      : 'No account has a password yet. ') +
      `To create an administrator of that name: reset-password --create ${name}`,
  )
}

/** The one-time token of a fresh installation; also works while the server runs. */
export function readBootstrapToken(dataDir: string): string {
  const file = path.join(dataDir, '.bootstrap_token')
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
  throw new StartupError(
    `There is no one-time setup token in ${dataDir}.`,
    'Sign-in is already set up, or Pulse has not been started yet. Replace a forgotten password with reset-password.',
  )
}

const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const newPassword = () => Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
