import type { Backup } from '@pulse/contract'
import { type SearchFields, SEPARATOR } from './search.ts'

/** undefined: unknown, so no comparison matches. */
type NumberField = (backup: Backup) => number | undefined
type TextField = (backup: Backup) => string | undefined

const GB = 1024 ** 3

/** By lower-case name. size is gigabytes. */
const numbers: ReadonlyMap<string, NumberField> = new Map(
  Object.entries({
    vmid: (b) => (typeof b.vmid === 'number' ? b.vmid : undefined),
    size: (b) => (b.size === undefined ? undefined : b.size / GB),
  } satisfies Record<string, NumberField>),
)

/** The root namespace has an empty name; users search for `root`. */
const namespace: TextField = (b) => (b.backupType === 'remote' ? b.namespace || 'root' : undefined)

/** By lower-case name. */
const texts: ReadonlyMap<string, TextField> = new Map(
  Object.entries({
    name: (b) => b.name,
    node: (b) => b.node,
    vmid: (b) => String(b.vmid),
    type: (b) => b.type,
    instance: (b) => b.instance,
    backup: (b) => b.backupName,
    description: (b) => b.description,
    storage: (b) => b.storage,
    datastore: (b) => b.datastore,
    namespace,
    owner: (b) => b.owner,
    status: (b) => b.status,
  } satisfies Record<string, TextField>),
)

const plain: TextField = (b) =>
  [
    b.vmid,
    b.name,
    b.node,
    b.backupName,
    b.description,
    b.storage ?? '',
    b.datastore ?? '',
    b.namespace ?? '',
  ].join(SEPARATOR)

/**
 * `instance:datastore:namespace`, exactly. Without the last colon: any namespace. Empty after it: the root.
 */
function onServer(sought: string): (backup: Backup) => boolean {
  const [instance, datastore, ...rest] = sought.split(':')
  const space = rest.length === 0 ? undefined : bare(rest.join(':'))
  return (b) =>
    b.backupType === 'remote' &&
    b.instance.toLowerCase() === instance &&
    (datastore === undefined || b.datastore?.toLowerCase() === datastore) &&
    (space === undefined || bare((b.namespace ?? '').toLowerCase()) === space)
}

const bare = (namespace: string): string => (namespace === 'root' ? '' : namespace)

/** The search box of the Backups page. */
export const backupFields: SearchFields<[backup: Backup]> = {
  numbers,
  texts,
  forms: new Map([['pbs', onServer]]),
  plain,
  raw: plain,
}
