import {
  discarded,
  edited,
  type Edits,
  isDirty,
  noEdits,
  notSaved,
  rebased,
  saved,
  sending,
  shownOf,
} from './edits.ts'
import type { IsAtom } from './patches.ts'
import { createSignal } from '../signal.ts'

interface SaveSteps<T> {
  /** the stored document */
  load(): Promise<T>
  send(document: T, base: T): Promise<T>
}

/** Edits of one document, until another user signs in. */
export interface EditStore<T> {
  /** the document with the edits; the same object until an edit changes */
  shown(): T | undefined
  /** the document without the edits; undefined until it is loaded */
  base(): T | undefined
  isDirty(): boolean
  subscribe(listener: () => void): () => void
  /** Stores the changes that the function makes, not the function itself. */
  change(edit: (shown: T) => T): void
  rebase(base: T): void
  /**
   * Applies the edits to the stored document and sends it. Resolves to the new stored document. A failed save
   * rejects and keeps the edits. A save that starts during another one runs after it.
   */
  save(steps: SaveSteps<T>): Promise<T>
  discard(base?: T): void
}

export function createEditStore<T>(isAtom?: IsAtom): EditStore<T> {
  let edits = noEdits<T>(isAtom)
  let shown: T | undefined
  const changed = createSignal()

  const set = (next: Edits<T>) => {
    if (next === edits) return
    edits = next
    shown = shownOf(edits)
    changed.emit()
  }

  const saveNow = async ({ load, send }: SaveSteps<T>): Promise<T> => {
    const base = await load()
    set(sending(rebased(edits, base)))
    try {
      const stored = await send(shown as T, base)
      set(saved(edits, stored))
      return stored
    } catch (error) {
      set(notSaved(edits))
      throw error
    }
  }

  let last: Promise<unknown> = Promise.resolve()

  return {
    shown: () => shown,
    base: () => edits.base,
    isDirty: () => isDirty(edits),
    subscribe: changed.subscribe,
    change(edit) {
      if (shown !== undefined) set(edited(edits, edit(shown)))
    },
    rebase: (base) => set(rebased(edits, base)),
    save(steps) {
      const next = last.then(() => saveNow(steps))
      last = next.catch(() => {
        // the caller gets the error; the next save starts from the stored state
      })
      return next
    },
    discard: (base) => set(discarded(edits, base)),
  }
}
