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

/** One that stopped is asked in another round, which may take long where there are many. */
const freshForMs = 6 * 3_600_000 + freshMs.late
const mostOfGuest = 1_000
const listOf = (vmid: number) => `snapshots ${vmid}`

/** The snapshots of the guests of one connection. */
export class SnapshotBook {
  readonly #book: BackupBook
  readonly #readAt = new Map<number, number>()
  /** Somebody wants them. */
  isWanted = false

  constructor(book: BackupBook) {
    this.#book = book
  }

  learn({ vmid, node, raw: { type } }: Guest, data: unknown, at: number): void {
    if (!this.isWanted) return
    const snapshots = readList(PveSnapshot, data, `${type}/${vmid}/snapshot`)
    const records = snapshots
      .slice(0, mostOfGuest)
      .map((one) => toSnapshot(one, { vmid, node, type }, this.#book.owner))
    this.#readAt.set(vmid, at)
    this.#book.learn(listOf(vmid), records, at, freshForMs)
  }

  /** When they were read last; monotonic. */
  readAt(vmid: number): number {
    return this.#readAt.get(vmid) ?? -Infinity
  }

  fail(vmid: number): void {
    this.#book.fail(listOf(vmid))
  }

  forget(vmid: number): void {
    this.#readAt.delete(vmid)
    this.#book.drop((name) => name === listOf(vmid))
  }

  clear(): void {
    this.#readAt.clear()
    this.#book.drop((name) => name.startsWith('snapshots '))
  }
}
