/**
 * Builds what is named, by default all that is run; with `ifStale` only what was built from other sources. A build that
 * fails ends the process, or whatever `fail` does.
 */
export function build(how?: {
  ifStale?: boolean
  names?: string[]
  fail?: (code: number) => void
}): Promise<void>
export function stampOf(name: string, checkout?: string): string
