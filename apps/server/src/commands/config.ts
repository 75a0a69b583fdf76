import type { Clock } from '@pulse/domain'
import path from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Area } from '../area.ts'
import { type Audit, safeText } from '../auth/audit.ts'
import { thisMachine } from '../machine.ts'
import { openFoundation } from '../foundation.ts'
import { product } from '../server.ts'
import type { Config } from '../start/config.ts'
import { stopInReverse } from '../start/stop.ts'
import { StartupError } from '../startup-error.ts'
import { readExport, writeExport } from '../transfer/export-file.ts'
import { partsInOrder } from '../transfer/parts.ts'
import { isLongEnough } from '../transfer/passphrase.ts'
import { configUsage, confirmFlag } from './usage.ts'
import { createTransfer, type Imported, type TransferArea } from '../transfer/transfer.ts'

const by = { name: 'console', method: 'console' } as const

/**
 * Runs `config export|check|import <file>` on this machine while Pulse is stopped. Returns the text for the
 * console.
 */
export async function runConfigCommand(
  [action = '', ...args]: string[],
  config: Config,
  edges: { clock: Clock; log: Logger },
): Promise<string> {
  const confirmsDestinations = action === 'import' && args.includes(confirmFlag)
  const names = args.filter((arg) => arg !== confirmFlag)
  const [name = ''] = names
  if (!['export', 'check', 'import'].includes(action) || name === '' || names.length > 1) {
    throw new StartupError(`Unknown form of the command "config ${action}".`, configUsage)
  }
  const variables = config.environment.variables
  const passphrase = variables['PULSE_PASSPHRASE'] ?? ''
  if (passphrase === '') {
    throw new StartupError('PULSE_PASSPHRASE is not set.', 'Set it to the passphrase of the file.')
  }
  if (action === 'export' && !isLongEnough(passphrase)) {
    throw new StartupError('PULSE_PASSPHRASE is too short.', 'Use at least 12 characters.')
  }
  // npm runs its scripts in the product's folder, so the path is resolved from the folder where the user
  // typed the command.
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
    const imported = await transfer.import(text, passphrase, { ...by, confirmsDestinations })
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

/** One line for each user, so that the administrator sees who gets access. */
function linesOf({ nodes, accounts, tokens, providers, ...alerts }: Imported['changes']): string[] {
  const lines = [
    ...nodes
      .filter(({ change }) => change !== 'kept')
      .map(({ change, name, type, host }) => `node ${change}: "${name}" (${type}, ${host})`),
    ...accounts.map(({ name, role }) => `${role === 'admin' ? 'administrator' : 'viewer'} added: "${name}"`),
    ...tokens.map(({ name, scopes }) => `API token added: "${name}" (${scopes.join(', ')})`),
    ...providers.map(({ issuer, lets }) => `single sign-on: ${issuer} lets in ${lets}`),
    ...alerts.destinations.map(({ name, goesTo }) => `new destination of alerts: "${name}" (${goesTo})`),
    ...alerts.allowedHosts.map((host) => `host that outgoing calls may reach: "${host}"`),
    ...(alerts.switchesAlertsOff ? ['alerts are switched off'] : []),
  ]
  return lines.map((line) => `  ${safeText(line)}`)
}

async function withTransfer(
  config: Config,
  edges: { clock: Clock; log: Logger },
  work: (transfer: TransferArea, audit: Pick<Audit, 'record'>) => Promise<string>,
): Promise<string> {
  const { log } = edges
  const { variables: env } = config.environment
  const outside = { ...edges, env, auditLog: log, setLogLevel: () => {}, machine: thisMachine }
  const base = await openFoundation(config, outside)
  let areas: readonly Area[] = base.areas
  try {
    const { access, ...all } = await product(base)
    areas = all.areas
    const parts = partsInOrder(areas)
    return await work(createTransfer({ ...base, parts, caches: [], onWrite: () => {} }), access.audit)
  } catch (error) {
    if (error instanceof AppError) {
      throw new StartupError(error.message, 'Nothing was changed.', { cause: error })
    }
    throw error
  } finally {
    await stopInReverse(areas, base)
  }
}
