import { postConfigExport, postConfigImport, postConfigImportPreview } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import { type Area, cachesOf } from '../area.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import type { Principal } from '../auth/principal.ts'
import type { SignIn } from '../auth/sign-in.ts'
import type { Users } from '../auth/users.ts'
import { requireCurrent } from '../export-part.ts'
import { principalOf, route } from '../http/route.ts'
import { type OnRowsChanged, reloadOnChange } from '../row-cache.ts'
import type { KdfCost } from '../hashing.ts'
import { partsInOrder } from './parts.ts'
import { requirePassphrase } from './passphrase.ts'
import { createTransfer, type TransferArea, type TransferEdges } from './transfer.ts'

export interface TransferAreaEdges extends Omit<TransferEdges, 'parts' | 'caches' | 'cost'> {
  /** areas with parts for an export */
  areas: readonly Area[]
  access: TransferParts
  hashing: { exportCost: KdfCost } | undefined
  onRowsChanged: OnRowsChanged
  onReloadError: (error: unknown) => void
}

/** Export and import of the whole configuration. */
export function transferArea({ areas, access, hashing, ...edges }: TransferAreaEdges): Area {
  const caches = cachesOf(areas)
  const transfer = createTransfer({
    ...edges,
    caches,
    parts: partsInOrder(areas),
    cost: hashing?.exportCost,
  })
  reloadOnChange(caches, edges.onRowsChanged, edges.onReloadError)
  return { name: 'export and import', routes: transferRoutes(transfer, access) }
}

interface TransferParts {
  tokens: Pick<ApiTokens, 'list'>
  users: Users
  signIn: SignIn
  audit: Pick<Audit, 'record'>
}

const transferRoutes = (transfer: TransferArea, { users, signIn, audit, tokens }: TransferParts) => [
  route(postConfigExport, async ({ body, caller, identity, note }) => {
    const principal = principalOf({ identity })
    requireToken(principal, tokens)
    await requirePassphrase(body, { principal, caller }, { users, signIn })
    const { file, summary } = await transfer.export(body.passphrase)
    requireCurrent(principal)
    note({ details: summary })
    return file
  }),
  route(postConfigImportPreview, async ({ body, caller, identity }) => {
    const by = principalOf({ identity })
    requireToken(by, tokens)
    try {
      const { summary, notes, changes } = await transfer.check(body.data, body.passphrase, {
        ...by,
        confirmsDestinations: true,
      })
      return { status: 'success' as const, summary, ...changes, notes }
    } catch (error) {
      const details = `preview: ${error instanceof AppError ? error.code : 'failed'}`
      await audit.record({ event: 'config_imported', success: false, by, caller, details })
      throw error
    }
  }),
  route(postConfigImport, async ({ body, caller, identity }) => {
    const by = principalOf({ identity })
    requireToken(by, tokens)
    const record = (success: boolean, details: string) =>
      audit.record({ event: 'config_imported', success, by, caller, details })
    try {
      const { summary, notes } = await transfer.import(body.data, body.passphrase, {
        ...by,
        confirmsDestinations: body.confirmDestinations === true,
      })
      await record(true, [summary, ...notes].join('. '))
      return { status: 'success' as const, message: [`Imported: ${summary}.`, ...notes].join(' '), notes }
    } catch (error) {
      await record(false, error instanceof AppError ? error.code : 'failed')
      throw error
    }
  }),
]

/** Without sign-in, a configured token is the only protection of the whole configuration. */
function requireToken({ method }: Principal, tokens: Pick<ApiTokens, 'list'>): void {
  if (method !== 'disabled' || tokens.list().length === 0) return
  throw new AppError('authentication_required', 'This requires an API token, because you are not signed in.')
}
