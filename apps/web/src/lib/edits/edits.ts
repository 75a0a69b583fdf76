import {
  applied,
  difference,
  type IsAtom,
  merged,
  noPatches,
  type Patches,
  pending,
  withoutSent,
} from './patches.ts'

/** Unsaved edits of one document: patches over its last known state. */
export interface Edits<T> {
  /** undefined until it is loaded */
  base: T | undefined
  patches: Patches
  /** patches being saved */
  sent: Patches | undefined
  /** a save got no answer, so the server may or may not have stored it */
  isUnsure: boolean
  isAtom: IsAtom
}

export const noEdits = <T>(isAtom: IsAtom = () => false): Edits<T> => ({
  base: undefined,
  patches: noPatches,
  sent: undefined,
  isUnsure: false,
  isAtom,
})

/** The document with the edits. */
export const shownOf = <T>({ base, patches }: Edits<T>): T | undefined =>
  base === undefined ? undefined : applied(base, patches)

export const isDirty = ({ patches }: Edits<unknown>): boolean => patches.size > 0

/** Removes edits that restore the base, once the base is certain. */
function normalized<T>(edits: Edits<T>): Edits<T> {
  const { base, patches, sent, isUnsure, isAtom } = edits
  if (base === undefined || sent || isUnsure) return edits
  return { ...edits, patches: pending(base, patches, isAtom) }
}

export function edited<T>(edits: Edits<T>, after: T): Edits<T> {
  const before = shownOf(edits)
  if (before === undefined) return edits
  const changes = difference(before, after, edits.isAtom)
  return changes.length === 0 ? edits : normalized({ ...edits, patches: merged(edits.patches, changes) })
}

/** Sets the loaded document and removes edits that it already contains. */
export const rebased = <T>(edits: Edits<T>, base: T): Edits<T> =>
  Object.is(edits.base, base) && !edits.isUnsure
    ? edits
    : normalized({ ...edits, base, isUnsure: edits.sent !== undefined && edits.isUnsure })

export const sending = <T>(edits: Edits<T>): Edits<T> => ({ ...edits, sent: edits.patches })

/** Edits made during the save stay. */
export const saved = <T>({ sent = noPatches, ...edits }: Edits<T>, base: T): Edits<T> =>
  normalized({ ...edits, base, sent: undefined, isUnsure: false, patches: withoutSent(edits.patches, sent) })

export const notSaved = <T>(edits: Edits<T>): Edits<T> => ({ ...edits, sent: undefined, isUnsure: true })

export const discarded = <T>(edits: Edits<T>, base: T | undefined = edits.base): Edits<T> => ({
  ...noEdits(edits.isAtom),
  base,
})
