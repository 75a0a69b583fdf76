import type { BackupKind } from './backup-row.ts'

/** Which backups bear a number: of tens of thousands a guest that moves concerns a few. */
export interface Numbered {
  add(number: unknown, id: string, kind: BackupKind): void
  remove(number: unknown, id: string): void
  of(number: unknown): Iterable<[id: string, kind: BackupKind]>
}

export function createNumbered(): Numbered {
  const byNumber = new Map<unknown, Map<string, BackupKind>>()
  return {
    add(number, id, kind) {
      const ids = byNumber.get(number)
      if (ids) ids.set(id, kind)
      else byNumber.set(number, new Map([[id, kind]]))
    },
    remove(number, id) {
      const ids = byNumber.get(number)
      if (ids?.delete(id) && ids.size === 0) byNumber.delete(number)
    },
    of: (number) => byNumber.get(number) ?? [],
  }
}
