import type { Protection, PveBackup } from '@pulse/contract'

type Task = Extract<PveBackup, { list: 'backupTasks' }>

interface Attempt {
  source: string
  at: number
  /** absent: success */
  error?: string | undefined
}

/** Results of vzdump runs per guest. A run over several guests counts only once its log was read. */
export class BackupAttempts {
  readonly #byNumber = new Map<string, Map<string, Attempt>>()
  readonly #numbersOf = new Map<string, readonly string[]>()

  /** Returns the VMIDs of the affected guests, with their source. */
  note(id: string, task: Task | undefined): [number: string, source: string][] {
    const touched: [string, string][] = []
    for (const number of new Set(this.#numbersOf.get(id))) touched.push([number, this.#drop(number, id)])
    this.#numbersOf.delete(id)
    if (!task || task.endTime === undefined) return touched
    const { source, startTime, vmid, error, guests = [] } = task
    const at = Date.parse(startTime)
    const fates = vmid > 0 ? [{ vmid, error }] : guests
    for (const one of fates) {
      const number = String(one.vmid)
      const known = this.#byNumber.get(number) ?? new Map<string, Attempt>()
      this.#byNumber.set(number, known.set(id, { source, at, error: one.error }))
      touched.push([number, source])
    }
    if (fates.length > 0)
      this.#numbersOf.set(
        id,
        fates.map((one) => String(one.vmid)),
      )
    return touched
  }

  /** The guest's newest run, if it succeeded, or if it failed and no backup is newer. */
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

  /** Returns its source. */
  #drop(number: string, id: string): string {
    const known = this.#byNumber.get(number)!
    const { source } = known.get(id)!
    known.delete(id)
    if (known.size === 0) this.#byNumber.delete(number)
    return source
  }
}

/** If two runs began at the same time, the failed one counts. */
const isLater = (one: Attempt, other: Attempt): boolean =>
  one.at > other.at || (one.at === other.at && (one.error ?? '') > (other.error ?? ''))
