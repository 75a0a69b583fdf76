import type { ChangeWord } from '@pulse/contract'

export type ChangeValue = string | number

/** What changed in a record. */
export interface Found {
  what: ChangeWord
  /** the figure or field, if there are several */
  field?: string
  from?: ChangeValue
  to?: ChangeValue
}

/** A start time that differs by less is the same start, measured again. */
export const sameStartMs = 60_000

export function changed(
  what: ChangeWord,
  from: ChangeValue | undefined,
  to: ChangeValue | undefined,
  field?: string,
): Found | undefined {
  if (from === to) return undefined
  return {
    what,
    ...(field !== undefined && { field }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

/** An unknown size is no other size. */
export const resized = (field: string, from: ChangeValue | undefined, to: ChangeValue | undefined) =>
  from === undefined || to === undefined ? undefined : changed('resized', from, to, field)

export const version = (field: string, from: string | undefined, to: string | undefined) =>
  from && to ? changed('version', from, to, field) : undefined

export const restarted = (from: number | undefined, to: number | undefined) =>
  from !== undefined && to !== undefined && to - from > sameStartMs
    ? changed('restarted', from, to)
    : undefined

interface Running {
  isRunning: boolean
  state: string
  startedAt: number | undefined
}

/** Started, stopped, or restarted in between. */
export function ran(before: Running, after: Running): Found | undefined {
  if (before.isRunning !== after.isRunning)
    return changed(after.isRunning ? 'started' : 'stopped', before.state, after.state)
  return after.isRunning ? restarted(before.startedAt, after.startedAt) : undefined
}
