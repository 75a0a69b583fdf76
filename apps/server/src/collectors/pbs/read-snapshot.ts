import type { PbsBackup } from '@pulse/contract'
import { isDatedAhead, isEqual, sharedLists } from '@pulse/domain'
import { cutText, toBytes, toNumber, toText } from '../proxmox/schema.ts'
import { timeOf } from './jobs.ts'

/** The location of a snapshot and its source. */
export interface SnapshotOrigin {
  source: string
  instance: string
  store: string
  path: string
  /** wall clock */
  now: number
}

export interface SnapshotReader {
  /** Returns undefined for an unfinished backup. An unchanged backup keeps its known record. */
  read(
    entry: unknown,
    origin: SnapshotOrigin,
    known: (key: string) => PbsBackup | undefined,
  ): ReadSnapshot | undefined
}

export interface ReadSnapshot {
  key: string
  record: PbsBackup
}

const types = ['vm', 'ct', 'host']
/** Ids become parts of keys and of pages. */
const ids = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/
const mostTexts = 20_000
const longestComment = 256
const mostFiles = 64
const longestName = 128
/** The catalogue of a backup, written last. */
const catalogue = 'index.json.blob'

/**
 * Parses snapshots without a schema, because a server may have a hundred thousand. Texts shared by many
 * snapshots are stored once.
 */
export function createSnapshotReader(): SnapshotReader {
  const texts = new Map<string, string>()
  const filesOnce = sharedLists(mostTexts)

  function once(text: string): string {
    const known = texts.get(text)
    if (known !== undefined) return known
    if (texts.size >= mostTexts) texts.clear()
    texts.set(text, text)
    return text
  }

  return {
    read(entry, { source, instance, store, path, now }, known) {
      if (typeof entry !== 'object' || entry === null) return undefined
      const snapshot = entry as Record<string, unknown>
      const type = snapshot['backup-type']
      const id = toText(snapshot['backup-id'])
      const seconds = toNumber(snapshot['backup-time'])
      const time = timeOf(seconds)
      if (typeof type !== 'string' || !types.includes(type) || time === undefined) return undefined
      if (id === undefined || !ids.test(id)) return undefined
      const files = filesOf(snapshot['files'])
      const names = files.map(({ name }) => name)
      const size = toBytes(snapshot['size'])
      // The backup is still being written, or was never finished.
      if (size === undefined && !names.includes(catalogue)) return undefined
      const verification = stateOf(snapshot['verification'])
      const comment = cutText(toText(snapshot['comment']) ?? '', longestComment)
      const owner = cutText(toText(snapshot['owner']) ?? '', longestName)
      // Joined, because a concatenated string keeps its pieces in memory.
      const key = [source, store, path, type, id, time].join(':')
      const reported: Reported = {
        instance,
        size: size ?? 0,
        protected: snapshot['protected'] === true || toNumber(snapshot['protected']) === 1,
        verification,
        encrypted: isEncrypted(files) || undefined,
        comment: comment ? once(comment) : undefined,
        files: names.length > 0 ? filesOnce(names) : undefined,
        owner: owner ? once(owner) : undefined,
        future: isDatedAhead(seconds! * 1000, now) || undefined,
      }
      const before = known(key)
      if (before && isSame(before, reported)) return { key, record: before }
      // One object shape for all, because there may be many.
      const record: PbsBackup = {
        id: ['pbs', instance, store, path, type, id, seconds].join('-'),
        instance,
        datastore: store,
        namespace: path,
        backupType: once(type),
        vmid: once(id),
        backupTime: time,
        size: reported.size,
        protected: reported.protected,
        verified: verification === 'ok',
        source,
      }
      if (verification !== undefined) record.verification = verification
      if (reported.encrypted) record.encrypted = true
      if (reported.comment !== undefined) record.comment = reported.comment
      if (reported.files !== undefined) record.files = reported.files
      if (reported.owner !== undefined) record.owner = reported.owner
      if (reported.future) record.future = true
      return { key, record }
    },
  }
}

/** The number of characters in the record, including shared texts. */
export function weightOf({ id, vmid, owner = '', comment = '', files = [] }: PbsBackup): number {
  const own = id.length + vmid.length + owner.length + comment.length
  return files.reduce((sum, name) => sum + name.length, own)
}

/** The fields of a snapshot that may change. */
interface Reported {
  instance: string
  size: number
  protected: boolean
  verification: PbsBackup['verification']
  encrypted: true | undefined
  comment: string | undefined
  files: string[] | undefined
  owner: string | undefined
  future: true | undefined
}

const isSame = (before: PbsBackup, reported: Reported) =>
  before.instance === reported.instance &&
  before.size === reported.size &&
  before.protected === reported.protected &&
  before.verification === reported.verification &&
  before.encrypted === reported.encrypted &&
  before.comment === reported.comment &&
  before.owner === reported.owner &&
  before.future === reported.future &&
  isEqual(before.files, reported.files)

/** Files that are not data: the signed catalogue, and the client's log. */
const notes = [catalogue, 'client.log.blob']

/** Encrypted as PVE defines it: all data files are. Files that are only signed remain readable. */
function isEncrypted(files: readonly { name: string; mode?: unknown }[]): boolean {
  const data = files.filter(({ name }) => !notes.includes(name))
  return data.length > 0 && data.every(({ mode }) => mode === 'encrypt')
}

/** Old versions list plain names. */
function filesOf(value: unknown): { name: string; mode?: unknown }[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, mostFiles).flatMap((file: unknown) => {
    if (typeof file === 'string') return [{ name: cutText(file, longestName) }]
    if (typeof file !== 'object' || file === null || !('filename' in file)) return []
    const name = cutText(toText(file.filename) ?? '', longestName)
    return name ? [{ name, ...('crypt-mode' in file && { mode: file['crypt-mode'] }) }] : []
  })
}

/** A word in some versions, and an object in others. */
function stateOf(value: unknown): PbsBackup['verification'] {
  const state = typeof value === 'object' && value !== null && 'state' in value ? value.state : value
  return state === 'ok' || state === 'failed' ? state : undefined
}
