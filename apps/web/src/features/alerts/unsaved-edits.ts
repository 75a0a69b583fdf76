/** Edits of one thing that is stored, until they are saved or discarded with all the others. */
export interface Unsaved {
  isDirty: boolean
  /** Rejects with the reason; then the edits stay. */
  save(): Promise<void>
  /** Reads what is stored anew; rejects when that fails, and the edits stay. */
  discard(): Promise<void>
}
