import type { Clock } from '@pulse/domain'
import path from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import { createAudit, safeText } from '../auth/audit.ts'
import { auditStore } from '../db/audit.ts'
import type { Config } from '../start/config.ts'
import { claimDataDir } from '../start/data-dir.ts'
import { openData } from '../start/open-data.ts'
import { StartupError } from '../startup-error.ts'
import { type Imported, createTransfer } from '../transfer/transfer.ts'
import { readExport, writeExport } from '../transfer/export-file.ts'
import { isLongEnough } from '../transfer/passphrase.ts'
import { storedParts } from '../transfer/stored-parts.ts'

export const configUsage = 'config export <file> · config check <file> · config import <file>'

const by = { name: 'console', method: 'console' } as const

/** `config export|check|import <file>` on the machine itself, with Pulse stopped. What the console should say. */
export async function runConfigCommand(
  [action = '', name = '']: string[],
  config: Config,
  edges: { clock: Clock; log: Logger },
): Promise<string> {
  if (!['export', 'check', 'import'].includes(action) || name === '') {
    throw new StartupError(`There is no command "config ${action}" of that form.`, configUsage)
  }
  const variables = config.environment.variables
  const passphrase = variables['PULSE_PASSPHRASE'] ?? ''
  if (passphrase === '') {
    throw new StartupError('PULSE_PASSPHRASE is not set.', 'Set it to the passphrase of the file.')
  }
  if (action === 'export' && !isLongEnough(passphrase)) {
    throw new StartupError('PULSE_PASSPHRASE is too short.', 'Use at least 12 characters.')
  }
  // npm runs its scripts in the folder of the product, whatever folder the command was typed in
  const file = path.resolve(variables['INIT_CWD'] ?? '.', name)
  return withTransfer(config, edges, async (transfer, audit) => {
    if (action === 'export') {
      const { file: exported, summary } = await transfer.export(passphrase)
      writeExport(file, `${JSON.stringify(exported)}\n`)
      await audit.record({ event: 'config_exported', by, details: summary })
      return `Exported to ${file}.`
    }
    const text = readExport(file)
    if (action === 'check') return toText('Would be imported', await transfer.check(text, passphrase, by))
    const imported = await transfer.import(text, passphrase, by)
    await audit.record({
      event: 'config_imported',
      by,
      details: [imported.summary, ...imported.notes].join('. '),
    })
    return toText('Imported', imported)
  })
}

const toText = (what: string, { summary, notes, changes }: Imported) =>
  [`${what}: ${summary}.`, ...linesOf(changes), ...notes.map((note) => `- ${note}`)].join('\n')

/** One for each: whoever imports shall see whom it lets in. */
function linesOf({ nodes, accounts, tokens, providers }: Imported['changes']): string[] {
  const lines = [
    ...nodes
      .filter(({ change }) => change !== 'kept')
      .map(({ change, name, type, host }) => `node ${change}: "${name}" (${type}, ${host})`),
    ...accounts.map(({ name, role }) => `${role === 'admin' ? 'administrator' : 'viewer'} added: "${name}"`),
    ...tokens.map(({ name, scopes }) => `API token added: "${name}" (${scopes.join(', ')})`),
    ...providers.map(({ issuer, lets }) => `single sign-on: ${issuer} lets in ${lets}`),
  ]
  return lines.map((line) => `  ${safeText(line)}`)
}

async function withTransfer(
  config: Config,
  { clock, log }: { clock: Clock; log: Logger },
  work: (
    transfer: ReturnType<typeof createTransfer>,
    audit: ReturnType<typeof createAudit>,
  ) => Promise<string>,
): Promise<string> {
  const dataDir = claimDataDir(config.dataDir)
  try {
    const { db, vault } = await openData(dataDir.path, config.encryptionKeyFile, clock.now(), dataDir)
    const audit = createAudit(auditStore(db), clock, log)
    const parts = storedParts({ db, vault, config, now: clock.now })
    try {
      return await work(createTransfer({ db, parts, live: [], clock, log, onWrite: () => {} }), audit)
    } catch (error) {
      if (error instanceof AppError) {
        throw new StartupError(error.message, 'Nothing was changed.', { cause: error })
      }
      throw error
    } finally {
      await audit.stop()
      await db.close()
    }
  } finally {
    dataDir.release()
  }
}
