import type { Protection, PveBackup } from '@pulse/contract'

type Task = Extract<PveBackup, { list: 'backupTasks' }>

interface Attempt {
  source: string
  at: number
  /** absent: it went well */
  error?: string | undefined
}

/** How runs of vzdump fared for single guests. Of a run over several whose log is not known, nothing is. */
export class BackupAttempts {
  readonly #byNumber = new Map<string, Map<string, Attempt>>()
  readonly #numbersOf = new Map<string, readonly string[]>()

  /** Returns the numbers of the guests whom it concerns. */
  note(id: string, task: Task | undefined): Iterable<string> {
    const touched = new Set(this.#numbersOf.get(id))
    for (const number of touched) this.#drop(number, id)
    this.#numbersOf.delete(id)
    if (!task || task.endTime === undefined) return touched
    const { source, startTime, vmid, error, guests = [] } = task
    const at = Date.parse(startTime)
    const fates = vmid > 0 ? [{ vmid, error }] : guests
    for (const one of fates) {
      const number = String(one.vmid)
      const known = this.#byNumber.get(number) ?? new Map<string, Attempt>()
      this.#byNumber.set(number, known.set(id, { source, at, error: one.error }))
      touched.add(number)
    }
    if (fates.length > 0)
      this.#numbersOf.set(
        id,
        fates.map((one) => String(one.vmid)),
      )
    return touched
  }

  /** The newest run for the guest: when it failed and no backup is newer than it, or when it went well. */
  newest(
    number: string,
    source: string,
    newestAt: number | undefined,
  ): Pick<Protection, 'failed' | 'succeeded'> {
    let newest: Attempt | undefined
    for (const attempt of this.#byNumber.get(number)?.values() ?? [])
      if (attempt.source === source && (!newest || isLater(attempt, newest))) newest = attempt
    if (!newest) return {}
    if (newest.error === undefined) return { succeeded: newest.at }
    return newest.at < (newestAt ?? -Infinity) ? {} : { failed: { at: newest.at, error: newest.error } }
  }

  #drop(number: string, id: string): void {
    const known = this.#byNumber.get(number)!
    known.delete(id)
    if (known.size === 0) this.#byNumber.delete(number)
  }
}

/** Of two that began at once, one that failed counts. */
const isLater = (one: Attempt, other: Attempt): boolean =>
  one.at > other.at || (one.at === other.at && (one.error ?? '') > (other.error ?? ''))
