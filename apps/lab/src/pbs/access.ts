import { ApiError } from '../api/api-error.ts'
import type { ApplianceCall } from '../appliance/appliance.ts'
import type { BackupServer, Datastore } from './vault.ts'

export const refused = (): ApiError => new ApiError(403, 'permission check failed')

/** PBS answers errors without their own status with 400. */
export const failed = (text: string): ApiError => new ApiError(400, text)

export const missing = (text: string): ApiError => new ApiError(404, text)

/** The datastore. Throws if it does not exist or the caller may not read it. */
export function readable({ datastores }: BackupServer, store: string): Datastore {
  const datastore = datastores.find(({ name }) => name === store)
  if (!datastore) throw failed(`no such datastore '${store}'`)
  if (datastore.pins.error !== undefined) throw failed(datastore.pins.error)
  return datastore
}

/** Datastores with at least one visible namespace. */
export const visible = (server: BackupServer, { caller }: ApplianceCall): Datastore[] =>
  server.datastores.filter(({ name, namespaces }) =>
    namespaces.some(({ path }) => caller.may('Datastore.Audit', `/datastore/${name}${path && `/${path}`}`)),
  )

export const audited = (server: BackupServer, { caller }: ApplianceCall): Datastore[] =>
  server.datastores.filter(({ name }) => caller.may('Datastore.Audit', `/datastore/${name}`))
