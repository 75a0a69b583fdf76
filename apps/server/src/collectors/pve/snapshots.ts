import { freshMs } from './age.ts'
import type { BackupBook } from './backup-book.ts'
import { toSnapshot } from './backup-records.ts'
import { readList } from './schema.ts'
import { PveSnapshot } from './schema-backups.ts'

interface Guest {
  vmid: number
  node: string
  raw: { type: 'qemu' | 'lxc' }
}

/** While a guest is locked it is not asked, and whoever backs it up may take hours. */
const lockedMs = 6 * 3_600_000
const mostOfGuest = 1_000
const listOf = (vmid: number) => `snapshots ${vmid}`

/** The snapshots of the guests of one connection. */
export class SnapshotBook {
  readonly #book: BackupBook
  /** Somebody wants them. */
  isWanted = false

  constructor(book: BackupBook) {
    this.#book = book
  }

  learn({ vmid, node, raw: { type } }: Guest, data: unknown, at: number, everyMs: number): void {
    if (!this.isWanted) return
    const snapshots = readList(PveSnapshot, data, `${type}/${vmid}/snapshot`)
    const records = snapshots
      .slice(0, mostOfGuest)
      .map((one) => toSnapshot(one, { vmid, node, type }, this.#book.owner))
    this.#book.learn(listOf(vmid), records, at, everyMs + lockedMs + freshMs.late)
  }

  fail(vmid: number): void {
    this.#book.fail(listOf(vmid))
  }

  forget(vmid: number): void {
    this.#book.drop((name) => name === listOf(vmid))
  }

  clear(): void {
    this.#book.drop((name) => name.startsWith('snapshots '))
  }
}
