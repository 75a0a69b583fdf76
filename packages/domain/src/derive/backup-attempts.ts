import type { Protection, PveBackup } from '@pulse/contract'

type Task = Extract<PveBackup, { list: 'backupTasks' }>

interface Attempt {
  at: number
  /** absent: success */
  error?: string | undefined
}

/** Results of vzdump runs per guest. A run over several guests counts only once its log was read. */
export class BackupAttempts {
  /** by VMID and source; in each, by the task */
  readonly #attempts = new Map<string, Map<string, Attempt>>()
  readonly #countedOf = new Map<string, { source: string; numbers: readonly string[] }>()

  /** Returns the VMIDs of the affected guests, with their source. */
  note(id: string, task: Task | undefined): [number: string, source: string][] {
    const touched = this.#drop(id)
    if (!task || task.endTime === undefined) return touched
    const { source, startTime, vmid, error, guests = [] } = task
    const at = Date.parse(startTime)
    const fates = vmid > 0 ? [{ vmid, error }] : guests
    for (const one of fates) {
      const number = String(one.vmid)
      const key = keyOf(number, source)
      const known = this.#attempts.get(key) ?? new Map<string, Attempt>()
      this.#attempts.set(key, known.set(id, { at, error: one.error }))
      touched.push([number, source])
    }
    if (fates.length > 0) this.#countedOf.set(id, { source, numbers: fates.map((one) => String(one.vmid)) })
    return touched
  }

  /** The guest's newest run, if it succeeded, or if it failed and no backup is newer. */
  newest(
    number: string,
    source: string,
    newestAt: number | undefined,
  ): Pick<Protection, 'failed' | 'succeeded'> {
    let newest: Attempt | undefined
    for (const attempt of this.#attempts.get(keyOf(number, source))?.values() ?? [])
      if (!newest || isLater(attempt, newest)) newest = attempt
    if (!newest) return {}
    if (newest.error === undefined) return { succeeded: newest.at }
    return newest.at < (newestAt ?? -Infinity) ? {} : { failed: { at: newest.at, error: newest.error } }
  }

  #drop(id: string): [number: string, source: string][] {
    const counted = this.#countedOf.get(id)
    if (!counted) return []
    this.#countedOf.delete(id)
    return [...new Set(counted.numbers)].map((number) => {
      const key = keyOf(number, counted.source)
      const known = this.#attempts.get(key)!
      known.delete(id)
      if (known.size === 0) this.#attempts.delete(key)
      return [number, counted.source]
    })
  }
}

const keyOf = (number: string, source: string) => `${number} ${source}`

/** If two runs began at the same time, the failed one counts. */
const isLater = (one: Attempt, other: Attempt): boolean =>
  one.at > other.at || (one.at === other.at && (one.error ?? '') > (other.error ?? ''))
