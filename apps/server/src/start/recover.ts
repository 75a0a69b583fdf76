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
import { openData } from './open-data.ts'
import { StartupError } from '../startup-error.ts'

/** The way back for an administrator who has access to the machine: `reset-password [name]`. The server must be stopped. */
export async function resetPassword(
  config: Config,
  name: string,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<string> {
  const dataDir = claimDataDir(config.dataDir)
  try {
    const { db } = await openData(dataDir.path, config.encryptionKeyFile, clock.now(), dataDir)
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
      if (known) {
        await users.setPassword(known.id, password)
        await users.change(known.id, { role: 'admin' })
      } else {
        await users.add({ name, password, role: 'admin' })
      }
      await attempts.remove(await attempts.all())
      const by = { name: 'console', method: 'console' } as const
      await audit.record({ event: known ? 'password_change' : 'user_added', by, target: name })
      return password
    } catch (error) {
      if (error instanceof AppError)
        throw new StartupError(error.message, 'Nothing was changed.', { cause: error })
      throw error
    } finally {
      await audit.stop()
      await db.close()
    }
  } finally {
    dataDir.release()
  }
}

/** The one-time token of a fresh installation, also while the server runs. */
export function readBootstrapToken(dataDir: string): string {
  const file = path.join(dataDir, '.bootstrap_token')
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
  throw new StartupError(
    `There is no one-time setup token in ${dataDir}.`,
    'Sign-in is set up already, or Pulse was not started yet. A forgotten password is replaced with reset-password.',
  )
}

const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const newPassword = () => Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
