import { freshMs } from './age.ts'
import type { BackupCache } from './backup-cache.ts'
import { toSnapshot } from './backup-records.ts'
import { readList } from './schema.ts'
import { PveSnapshot } from './schema-backups.ts'

interface Guest {
  vmid: number
  node: string
  raw: { type: 'qemu' | 'lxc' }
}

/** A locked guest is not polled, and a backup may take hours. */
const lockedMs = 6 * 3_600_000
const mostOfGuest = 1_000
const listOf = (vmid: number) => `snapshots ${vmid}`

/** The snapshots of the guests of one connection. */
export class SnapshotCache {
  readonly #cache: BackupCache
  /** the part is enabled */
  isWanted = false

  constructor(cache: BackupCache) {
    this.#cache = cache
  }

  learn({ vmid, node, raw: { type } }: Guest, data: unknown, at: number, intervalMs: number): void {
    if (!this.isWanted) return
    const snapshots = readList(PveSnapshot, data, `${type}/${vmid}/snapshot`)
    const records = snapshots
      .slice(0, mostOfGuest)
      .map((one) => toSnapshot(one, { vmid, node, type }, this.#cache.owner))
    this.#cache.learn(listOf(vmid), records, at, intervalMs + lockedMs + freshMs.late)
  }

  fail(vmid: number): void {
    this.#cache.fail(listOf(vmid))
  }

  forget(vmid: number): void {
    this.#cache.drop((name) => name === listOf(vmid))
  }

  clear(): void {
    this.#cache.drop((name) => name.startsWith('snapshots '))
  }
}
