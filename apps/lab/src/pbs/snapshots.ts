import { parameterError } from '../api/api-error.ts'
import { Streamed } from '../api/reply.ts'
import type { ApplianceCall, ApplianceRoute, Caller } from '../appliance/appliance.ts'
import { type Backup, keyFingerprint, verificationUpid } from '../protection/backups.ts'
import { missing, readable, refused } from './access.ts'
import type { BackupServer, BackupType, Datastore, Group, Namespace, Snapshot } from './vault.ts'

/** PBS accepts no deeper namespace. */
const deepest = 7

export const snapshotRoutes = (server: BackupServer): ApplianceRoute[] => [
  {
    path: '/admin/datastore/{store}/namespace',
    query: { parent: 'string', 'max-depth': 'integer' },
    answer: (call) => namespaces(server, call),
  },
  {
    path: '/admin/datastore/{store}/groups',
    query: { ns: 'string' },
    answer: (call) => new Streamed(groups(server, call)),
  },
  {
    path: '/admin/datastore/{store}/snapshots',
    query: { ns: 'string', 'backup-type': ['vm', 'ct', 'host'], 'backup-id': 'string' },
    answer: (call) => new Streamed(snapshots(server, call)),
  },
]

/** A namespace with all its descendants; the caller sees readable ones and their ancestors. */
function namespaces(server: BackupServer, { params, caller }: ApplianceCall) {
  const parent = params.parent ?? ''
  const depth = Number(params['max-depth'] ?? deepest)
  if (depth < 0 || depth > deepest)
    throw parameterError({ 'max-depth': `value must have a maximum value of ${deepest}` })
  const store = params.store!
  const datastore = server.datastores.find(({ name }) => name === store)
  const seen = (datastore?.namespaces ?? []).filter(({ path }) => mayRead(caller, store, path))
  if (seen.length === 0 && !mayRead(caller, store, '')) throw refused()
  readable(server, store)
  return seen
    .filter(({ path }) => parent === '' || path === parent || path.startsWith(`${parent}/`))
    .filter(({ path }) => levelsOf(path) - levelsOf(parent) <= depth)
    .map(({ path, comment }) => ({ ns: path, ...(comment !== undefined && { comment }) }))
}

const levelsOf = (path: string): number => (path === '' ? 0 : path.split('/').length)

export const mayRead = (caller: Caller, store: string, namespace: string): boolean =>
  caller.may('Datastore.Audit', `/datastore/${store}${namespace && `/${namespace}`}`)

function groups(server: BackupServer, call: ApplianceCall): Iterable<object> {
  const { namespace } = locate(server, call)
  return mapped(namespace.groups(call.now()), ({ type, id, owner, seed, snapshots: all }) => {
    const last = all[0]!
    return {
      'backup-type': type,
      'backup-id': id,
      'last-backup': last.backup.atSeconds,
      'backup-count': all.length,
      files: filesIn(type, last.backup, seed).map(({ filename }) => filename),
      owner,
    }
  })
}

function snapshots(server: BackupServer, call: ApplianceCall): Iterable<object> {
  const { namespace } = locate(server, call)
  const { 'backup-type': type, 'backup-id': id } = call.params
  return snapshotItems(server, namespace.groups(call.now()), type, id)
}

function* snapshotItems(
  server: BackupServer,
  all: Iterable<Group>,
  type: string | undefined,
  id: string | undefined,
): Generator<object> {
  for (const group of all) {
    if ((type !== undefined && group.type !== type) || (id !== undefined && group.id !== id)) continue
    for (const snapshot of group.snapshots) yield toItem(server.name, group, snapshot)
  }
}

function toItem(node: string, { type, id, owner, seed }: Group, { backup, comment }: Snapshot) {
  const { atSeconds, running, sizeBytes, isProtected, isEncrypted, verification } = backup
  return {
    'backup-type': type,
    'backup-id': id,
    'backup-time': atSeconds,
    owner,
    protected: isProtected,
    ...(comment !== undefined && !running && { comment }),
    ...(!running && { size: sizeBytes }),
    ...(isEncrypted && !running && { fingerprint: keyFingerprint }),
    files: filesIn(type, backup, seed),
    ...(verification && {
      verification: { state: verification, upid: verificationUpid(seed, atSeconds, node) },
    }),
  }
}

function locate(
  server: BackupServer,
  { params, caller }: ApplianceCall,
): { datastore: Datastore; namespace: Namespace } {
  const store = params.store!
  const path = params.ns ?? ''
  if (!mayRead(caller, store, path)) throw refused()
  const datastore = readable(server, store)
  const namespace = datastore.namespaces.find((one) => one.path === path)
  if (!namespace) throw missing(`namespace '${path}' not found`)
  return { datastore, namespace }
}

function* mapped<T, R>(items: Iterable<T>, map: (item: T) => R): Generator<R> {
  for (const item of items) yield map(item)
}

interface StoredFile {
  filename: string
  size?: number
  'crypt-mode'?: 'none' | 'encrypt' | 'sign-only'
}

/** The files of a snapshot. The index is written last; a snapshot without it is unfinished. */
function filesIn(
  type: BackupType,
  { running, sizeBytes, isEncrypted }: Pick<Backup, 'running' | 'sizeBytes' | 'isEncrypted'>,
  seed: number,
): StoredFile[] {
  // Without an index, PBS knows only the file names.
  if (running) return seed % 2 === 0 ? [] : [{ filename: configOf(type) }]
  const mode = isEncrypted ? 'encrypt' : 'none'
  const content = sizeBytes - 787
  const data: Record<BackupType, StoredFile[]> = {
    vm: [{ filename: 'drive-scsi0.img.fidx', size: content, 'crypt-mode': mode }],
    ct: [{ filename: 'root.pxar.didx', size: content, 'crypt-mode': mode }],
    host: [
      { filename: 'root.pxar.didx', size: content, 'crypt-mode': mode },
      { filename: 'catalog.pcat1.didx', size: 254, 'crypt-mode': mode },
    ],
  }
  return [
    ...data[type],
    ...(type === 'host' ? [] : [{ filename: configOf(type), size: 254, 'crypt-mode': mode } as const]),
    { filename: 'client.log.blob' },
    // The index is signed at most, because the server must read it.
    { filename: 'index.json.blob', size: 533, 'crypt-mode': isEncrypted ? 'sign-only' : 'none' },
  ]
}

const configOf = (type: BackupType): string =>
  type === 'vm' ? 'qemu-server.conf.blob' : type === 'ct' ? 'pct.conf.blob' : 'catalog.pcat1.didx'
