import { AppError } from '../app-error.ts'
import { DatabaseError } from '../database-error.ts'

/** What the history itself reports: its file cannot be read or written. Anything else is a fault of its caller. */
export const isOfHistory = (error: unknown): error is Error =>
  error instanceof DatabaseError || error instanceof AppError

/** What can fail, the gravest first. */
const parts = ['open', 'append', 'identify', 'maintain'] as const
export type FailingPart = (typeof parts)[number]

export interface Failing {
  /** undefined: it works. Returns whether that is news. */
  note(part: FailingPart, error: Error | string | undefined): boolean
  /** why the file is not open */
  whyNotOpen(): string | undefined
}

/**
 * Reports one trouble at a time: not open, samples not written, no numbers for new things, or no blocks. Each once.
 * `isElsewhere`: samples are in another store, whose errors say what becomes of them.
 */
export function createFailing(onTrouble: (text: string | undefined) => void, isElsewhere = false): Failing {
  const failing: Partial<Record<FailingPart, string | undefined>> = {}
  let reported: string | undefined

  function troubleOf(part: FailingPart, why: string) {
    if (part === 'append' && isElsewhere) return `The store of samples takes none: ${why}.`
    return part === 'open'
      ? `The metric history cannot be opened: ${why}`
      : `The metric history cannot be written: ${why}. Samples are lost meanwhile.`
  }

  return {
    note(part, error) {
      const before = failing[part]
      failing[part] = error instanceof Error ? error.message : error
      report()
      return failing[part] !== before
    },
    whyNotOpen: () => failing.open,
  }

  function report() {
    const worst = parts.find((one) => failing[one] !== undefined)
    const text = worst && troubleOf(worst, failing[worst]!)
    if (text === reported) return
    reported = text
    onTrouble(text)
  }
}
