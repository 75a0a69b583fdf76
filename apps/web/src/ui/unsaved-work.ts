const dirty = new Set<object>()

/** Edits that a reload would lose. */
export const unsavedWork = {
  exists: () => dirty.size > 0,
  /** Counts until the returned function is called. */
  add(): () => void {
    const one = {}
    dirty.add(one)
    return () => void dirty.delete(one)
  },
}
